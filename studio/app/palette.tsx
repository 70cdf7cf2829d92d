import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { runsPages } from "../api/queries.ts";
import { placeOfRun } from "../design/run-place.ts";
import { episodeList } from "../pages/episodes/episode-queries.ts";
import { matrixOf } from "../pages/notes/note-queries.ts";
import { packs } from "../pages/packs/pack-queries.ts";
import { stages } from "../pages/stages/stage-queries.ts";
import { type Entry, findEntries } from "./find-entries.ts";
import styles from "./palette.module.css";

const pages: readonly Entry[] = [
  { id: "p-home", kind: "Page", text: "Home", to: { to: "/" } },
  { id: "p-inbox", kind: "Page", text: "Inbox", to: { to: "/inbox" } },
  { id: "p-new", kind: "Action", text: "Start a new draft", to: { to: "/drafts/new" } },
  { id: "p-episodes", kind: "Page", text: "Episodes", to: { to: "/episodes" } },
  { id: "p-notes", kind: "Page", text: "Notes", to: { to: "/notes" } },
  {
    id: "p-plan",
    kind: "Action",
    text: "Plan a review of notes",
    to: { to: "/notes", search: { plan: "1" } },
  },
  { id: "p-packs", kind: "Page", text: "Packs", to: { to: "/packs" } },
  { id: "p-stages", kind: "Page", text: "Stages", to: { to: "/stages" } },
  { id: "p-runs", kind: "Page", text: "Runs and cost", to: { to: "/runs" } },
];

/** Goes anywhere and starts anything by typing a few letters. */
export function Palette(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}) {
  const { text, onText, onClose } = props;
  const asked = useDeferredValue(text.trim());
  const found = findEntries([...pages, ...useEntries(asked)], text);
  const navigate = useNavigate();
  const go = (entry: Entry): void => {
    onClose();
    void navigate(entry.to);
  };
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.palette} aria-label="Go to">
          <Autocomplete.Root
            inline
            open
            items={found}
            mode="none"
            autoHighlight="always"
            keepHighlight
            value={text}
            onValueChange={(value, { reason }) => {
              if (reason !== "item-press") onText(value);
            }}
            itemToStringValue={(entry: Entry) => entry.text}
          >
            <Autocomplete.Input
              className={styles.input}
              placeholder="A page, run, note, episode, pack, stage or action"
              aria-label="Search"
            />
            <Autocomplete.Empty className={styles.empty}>Nothing matches.</Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(entry: Entry) => (
                <Autocomplete.Item
                  key={entry.id}
                  value={entry}
                  className={styles.item}
                  onClick={() => go(entry)}
                >
                  <span className={styles.text}>{entry.text}</span>
                  <span className="soft">{entry.kind}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** What the project holds; runs are searched by the server, the rest is short enough to be here. */
function useEntries(text: string): readonly Entry[] {
  const runs = useInfiniteQuery({
    ...runsPages({ parts: "hidden", ...(text === "" ? {} : { text }) }),
    placeholderData: (before) => before,
  });
  const episodes = useQuery(episodeList).data?.episodes ?? [];
  const allPacks = useQuery(packs).data?.packs ?? [];
  const allStages = useQuery(stages).data?.stages ?? [];
  const matrix = useQuery({ ...matrixOf(undefined), retry: false }).data;
  return [
    ...episodes.map(
      ({ id, episode_id, workspace }): Entry => ({
        id: `e-${id}`,
        kind: "Episode",
        text: episode_id ?? workspace,
        to: { to: "/episodes/$episode", params: { episode: id } },
      }),
    ),
    ...allPacks.map(
      ({ pack_id, title }): Entry => ({
        id: `k-${pack_id}`,
        kind: "Pack",
        text: title,
        to: { to: "/packs/$pack", params: { pack: pack_id } },
      }),
    ),
    ...allStages.map(
      ({ stage_id, module_name }): Entry => ({
        id: `s-${stage_id}`,
        kind: "Stage",
        text: module_name,
        to: { to: "/stages/$stage", params: { stage: stage_id } },
      }),
    ),
    ...(runs.data?.pages[0]?.runs ?? []).map(
      (run): Entry => ({ id: run.run_id, kind: "Run", text: run.title, to: placeOfRun(run) }),
    ),
    ...(matrix?.notes ?? []).map(
      (path, at): Entry => ({
        id: `n-${matrix?.note_ids[at]}`,
        kind: "Note",
        text: path,
        to: { to: "/notes", search: { path } },
      }),
    ),
  ];
}
