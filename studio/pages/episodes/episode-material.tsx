import { useQuery } from "@tanstack/react-query";
import { materialOf } from "./episode-queries.ts";
import styles from "./episodes.module.css";

/** Chapters and summary, which every text is written from. */
export function EpisodeMaterial({ episode }: { readonly episode: string }) {
  const { data } = useQuery(materialOf(episode));
  if (data === undefined) return null;
  const { chapters, summary } = data;
  return (
    <div className="two">
      {summary !== null && (
        <section className="card">
          <header>
            <h2>Summary</h2>
            <span className="row">
              {summary.topics.map((topic) => (
                <span key={topic} className="badge">
                  {topic}
                </span>
              ))}
            </span>
          </header>
          <p className="inside text small">{summary.summary_markdown.trim()}</p>
        </section>
      )}
      {chapters.length > 0 && (
        <section className="card">
          <header>
            <h2>Chapters</h2>
            <span className="soft">{chapters.length}</span>
          </header>
          <ol className="list">
            {chapters.map(({ title, start_sec }) => (
              <li key={start_sec} className={`inside ${styles.chapter}`}>
                <span className="soft number">{clock(start_sec)}</span>
                <span>{title}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const hours = seconds >= 3_600 ? `${two(seconds / 3_600)}:` : "";
  return `${hours}${two((seconds % 3_600) / 60)}:${two(seconds % 60)}`;
}
