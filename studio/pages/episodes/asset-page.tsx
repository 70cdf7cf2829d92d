import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { AbsentPage } from "../../design/absent-page.tsx";
import { OpenItem } from "../../design/at-work.tsx";
import { May } from "../../design/may.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { AssetActs, AssetDecision, AssetReviews } from "./asset-record.tsx";
import { AssetBadges, assetName } from "./asset-words.tsx";
import { CandidatePair } from "./candidate-pair.tsx";
import { type AssetDetail, assetOf, type Candidate, episodeOf } from "./episode-queries.ts";
import { EpisodeWork } from "./episode-work.tsx";
import { AdoptDialog, PickDialog, UnlockDialog, WriteDialog } from "./ruling-dialogs.tsx";

/** One text of an episode: its candidates side by side, what was objected to, who chose. */
export function AssetPage() {
  const { episode, asset } = useParams({ from: "/episodes/$episode/$asset" });
  const { data, error, refetch } = useQuery(assetOf(episode, asset));
  const retry = (): void => void refetch();
  if (data === undefined && error !== null) {
    return <AbsentPage error={error} onRetry={retry} list="/episodes" />;
  }
  return (
    <div className="page">
      <AssetHead episode={episode} asset={asset} />
      {error !== null && <Failure error={error} onRetry={retry} />}
      {data === undefined && <Loading lines={5} />}
      {data !== undefined && <Asset key={asset} episode={episode} detail={data} />}
    </div>
  );
}

function AssetHead({ episode, asset }: { readonly episode: string; readonly asset: string }) {
  const { data } = useQuery(episodeOf(episode));
  const status = data?.assets.find(({ asset_id }) => asset_id === asset);
  return (
    <div className="page-head">
      <div>
        <Link to="/episodes/$episode" params={{ episode }} className="soft">
          ← {data?.episode_id ?? "the episode"}
        </Link>
        <PageTitle>{assetName(asset)}</PageTitle>
        {status !== undefined && <AssetBadges asset={status} />}
        <OpenItem item={`${episode} ${asset}`} />
      </div>
      <May do="run">
        <EpisodeWork episode={episode} asset={asset} />
      </May>
    </div>
  );
}

type Asked =
  | { readonly pick: Candidate }
  | { readonly write: Candidate }
  | "unlock"
  | "adopt"
  | undefined;

function Asset({ episode, detail }: { readonly episode: string; readonly detail: AssetDetail }) {
  const { left, right, isDiff, go, set } = useSides(detail);
  const [asked, setAsked] = useState<Asked>();
  const mayDecide = useMay("decide");
  const close = (): void => setAsked(undefined);
  const pick = (candidate: Candidate | undefined): void => {
    if (candidate !== undefined) setAsked({ pick: candidate });
  };
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    d: () => set({ diff: !isDiff }),
    p: mayDecide ? () => pick(right ?? left) : undefined,
    u: mayDecide && detail.can_unlock ? () => setAsked("unlock") : undefined,
    a: !mayDecide || detail.selection === null ? undefined : () => setAsked("adopt"),
    e: !mayDecide || left === undefined ? undefined : () => setAsked({ write: right ?? left }),
  });
  const about = { episode, detail, onClose: close };
  return (
    <>
      <AssetDecision
        episode={episode}
        detail={detail}
        onUnlock={() => setAsked("unlock")}
        onAdopt={() => setAsked("adopt")}
      />
      {left === undefined ? (
        <section className="card">
          <Empty title="No candidate yet">
            <p>
              “Draft more” writes candidates; “Review” writes and reviews until both sides sign.
            </p>
          </Empty>
        </section>
      ) : (
        <CandidatePair
          detail={detail}
          left={left}
          right={right}
          isDiff={isDiff}
          onChoose={set}
          onPick={pick}
          onEdit={(candidate) => setAsked({ write: candidate })}
        />
      )}
      <div className="two">
        <AssetReviews detail={detail} />
        <AssetActs detail={detail} />
      </div>
      {asked === "unlock" && <UnlockDialog {...about} />}
      {asked === "adopt" && <AdoptDialog {...about} />}
      {typeof asked === "object" && "pick" in asked && (
        <PickDialog {...about} candidate={asked.pick} />
      )}
      {typeof asked === "object" && "write" in asked && (
        <WriteDialog {...about} text={asked.write.content} />
      )}
    </>
  );
}

export interface Sides {
  readonly left?: string;
  readonly right?: string;
  readonly diff?: boolean;
}

/** Both sides are part of the address. Without it: the selected text, or the oldest, beside the newest. */
function useSides({ candidates, selection }: AssetDetail) {
  const search = useSearch({ from: "/episodes/$episode/$asset" });
  const navigate = useNavigate({ from: "/episodes/$episode/$asset" });
  const find = (id: string | null | undefined): Candidate | undefined =>
    candidates.find(({ candidate_id }) => candidate_id === id);
  const left = find(search.left) ?? find(selection?.candidate_id) ?? candidates[0];
  const others = candidates.filter((one) => one !== left);
  const asked = find(search.right);
  const right = asked === left ? others.at(-1) : (asked ?? others.at(-1));
  const set = (change: Sides): void =>
    void navigate({
      search: (before) => {
        const { diff, ...sides } = { ...before, ...change };
        return diff === true ? { ...sides, diff } : sides;
      },
      replace: true,
      resetScroll: false,
    });
  const go = (step: number): void => {
    const next = others[(right === undefined ? -1 : others.indexOf(right)) + step];
    if (next !== undefined) set({ right: next.candidate_id });
  };
  return { left, right, isDiff: search.diff === true, go, set };
}
