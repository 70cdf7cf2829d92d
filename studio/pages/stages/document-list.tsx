import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Failure, Loading } from "../../design/states.tsx";
import { documentOf, type StageDetail } from "./stage-queries.ts";
import styles from "./stages.module.css";

const MarkdownText = lazy(async () => ({
  default: (await import("./markdown-text.tsx")).MarkdownText,
}));

/** The papers of a stage; the open one is part of the address. */
export function DocumentList({ detail: { stage, documents } }: { readonly detail: StageDetail }) {
  const { document } = useSearch({ from: "/stages/$stage" });
  const navigate = useNavigate({ from: "/stages/$stage" });
  const readFirst = (name: string): boolean =>
    stage.next_step_guidance.read.some((file) => file.endsWith(`/${name}`));
  const open =
    documents.find(({ document_id }) => document_id === document) ??
    documents.find(({ name }) => readFirst(name)) ??
    documents.find(({ name }) => name === "stage_loop_handoff.md") ??
    documents[0];
  if (open === undefined) return null;
  return (
    <section className="card" id="documents" aria-label="Documents">
      <header>
        <h2>Documents</h2>
      </header>
      <div className={styles.documents}>
        <nav aria-label="Documents">
          <ul>
            {documents.map(({ document_id, name }) => (
              <li key={document_id}>
                <button
                  type="button"
                  className={`mono ${styles.documentName}`}
                  aria-current={document_id === open.document_id ? "true" : undefined}
                  onClick={() =>
                    void navigate({
                      search: { document: document_id },
                      replace: true,
                      resetScroll: false,
                    })
                  }
                >
                  {name.slice(name.lastIndexOf("/") + 1)}
                  {name.includes("/") && (
                    <span className="soft">{name.slice(0, name.lastIndexOf("/"))}</span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        <DocumentText stage={stage.stage_id} document={open.document_id} />
      </div>
    </section>
  );
}

function DocumentText(props: { readonly stage: string; readonly document: string }) {
  const { data, error, isPending } = useQuery(documentOf(props.stage, props.document));
  if (isPending) return <Loading />;
  if (error !== null) return <Failure error={error} />;
  return (
    <article className={styles.document} aria-label={data.name}>
      {data.name.endsWith(".md") ? (
        <Suspense fallback={<Loading />}>
          <MarkdownText text={data.text} />
        </Suspense>
      ) : (
        <pre className="command">{data.text}</pre>
      )}
      {data.is_cut && <p className="soft">The file goes on; its end is in the stage's folder.</p>}
    </article>
  );
}
