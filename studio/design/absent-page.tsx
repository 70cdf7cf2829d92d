import { Link } from "@tanstack/react-router";
import { Refused } from "../api/client.ts";
import { PageTitle } from "./page-title.tsx";
import { Failure, Loading } from "./states.tsx";

const lists = { "/runs": "Runs", "/episodes": "Episodes", "/packs": "Packs", "/stages": "Stages" };

/** In place of a page about something that has not arrived yet, does not exist or cannot be read. */
export function AbsentPage(props: {
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** The page that lists what there is. */
  readonly list: keyof typeof lists;
}) {
  const { error, onRetry, list } = props;
  const isMissing = error instanceof Refused && error.status === 404;
  return (
    <div className="page">
      {error === null ? (
        <Loading lines={5} />
      ) : (
        <>
          <div className="page-head">
            <div>
              <p className="soft">
                <Link to={list}>{lists[list]}</Link>
              </p>
              <PageTitle>{isMissing ? "Not found" : "This page failed to load"}</PageTitle>
            </div>
          </div>
          <Failure error={error} {...(isMissing ? {} : { onRetry })} />
        </>
      )}
    </div>
  );
}
