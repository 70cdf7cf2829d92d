import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { defined } from "../../src/domain/values/defined.ts";
import { HomePage } from "../pages/home/home-page.tsx";
import type { NotesSearch } from "../pages/notes/notes-page.tsx";
import { type RunsSearch, runStates } from "../pages/runs/runs-search.ts";
import { BrokenPage, NotFound, Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({ getParentRoute: () => root, path: "/", component: HomePage });

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  component: lazyRouteComponent(() => import("../pages/inbox/inbox-page.tsx"), "InboxPage"),
  validateSearch: ({ item }) => textsOf({ item }),
});

const newDraft = createRoute({
  getParentRoute: () => root,
  path: "/drafts/new",
  component: lazyRouteComponent(
    () => import("../pages/new-draft/new-draft-page.tsx"),
    "NewDraftPage",
  ),
});

interface DraftSearch {
  readonly turn?: number;
  readonly against?: number;
}

const draft = createRoute({
  getParentRoute: () => root,
  path: "/drafts/$run",
  component: lazyRouteComponent(() => import("../pages/draft/draft-page.tsx"), "DraftPage"),
  validateSearch: ({ turn, against }): DraftSearch => ({
    ...(typeof turn === "number" ? { turn } : {}),
    ...(typeof against === "number" ? { against } : {}),
  }),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  component: lazyRouteComponent(() => import("../pages/runs/runs-page.tsx"), "RunsPage"),
  validateSearch: ({ state, kind, text, since, until, cost, parts }): RunsSearch => ({
    ...textsOf({ kind, text, since, until, cost, parts }),
    ...defined({ state: runStates.find((one) => one === state) }),
  }),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run",
  component: lazyRouteComponent(() => import("../pages/runs/run-page.tsx"), "RunPage"),
});

const episodes = createRoute({
  getParentRoute: () => root,
  path: "/episodes",
  component: lazyRouteComponent(
    () => import("../pages/episodes/episodes-page.tsx"),
    "EpisodesPage",
  ),
});

const episode = createRoute({
  getParentRoute: () => root,
  path: "/episodes/$episode",
  component: lazyRouteComponent(() => import("../pages/episodes/episode-page.tsx"), "EpisodePage"),
});

interface AssetSearch {
  readonly left?: string;
  readonly right?: string;
  readonly diff?: boolean;
}

const asset = createRoute({
  getParentRoute: () => root,
  path: "/episodes/$episode/$asset",
  component: lazyRouteComponent(() => import("../pages/episodes/asset-page.tsx"), "AssetPage"),
  validateSearch: ({ left, right, diff }): AssetSearch => ({
    ...(typeof left === "string" ? { left } : {}),
    ...(typeof right === "string" ? { right } : {}),
    ...(diff === true ? { diff } : {}),
  }),
});

const notes = createRoute({
  getParentRoute: () => root,
  path: "/notes",
  component: lazyRouteComponent(() => import("../pages/notes/notes-page.tsx"), "NotesPage"),
  validateSearch: (given): NotesSearch => {
    const names = [
      "folder",
      "gate",
      "reason",
      "model",
      "note",
      "of",
      "path",
      "plan",
      "view",
    ] as const;
    const kept = names.filter((name) => typeof given[name] === "string" && given[name] !== "");
    return Object.fromEntries(kept.map((name) => [name, given[name]]));
  },
});

const packs = createRoute({
  getParentRoute: () => root,
  path: "/packs",
  component: lazyRouteComponent(() => import("../pages/packs/packs-page.tsx"), "PacksPage"),
});

const pack = createRoute({
  getParentRoute: () => root,
  path: "/packs/$pack",
  component: lazyRouteComponent(() => import("../pages/packs/pack-page.tsx"), "PackPage"),
});

const packRun = createRoute({
  getParentRoute: () => root,
  path: "/packs/$pack/runs/$run",
  component: lazyRouteComponent(() => import("../pages/packs/pack-run-page.tsx"), "PackRunPage"),
  validateSearch: ({ scenario, step }) => textsOf({ scenario, step }),
});

const packComparison = createRoute({
  getParentRoute: () => root,
  path: "/packs/$pack/compare",
  component: lazyRouteComponent(() => import("../pages/packs/compare-page.tsx"), "ComparePage"),
  validateSearch: ({ before, after }) => textsOf({ before, after }),
});

const stages = createRoute({
  getParentRoute: () => root,
  path: "/stages",
  component: lazyRouteComponent(() => import("../pages/stages/stages-page.tsx"), "StagesPage"),
});

const stage = createRoute({
  getParentRoute: () => root,
  path: "/stages/$stage",
  component: lazyRouteComponent(() => import("../pages/stages/stage-page.tsx"), "StagePage"),
  validateSearch: ({ document }) => textsOf({ document }),
});

/** Numbers in an address are read as numbers; ids are texts all the same. */
function textsOf<Name extends string>(
  given: {
    readonly [name in Name]: unknown;
  },
): { readonly [name in Name]?: string } {
  const texts = Object.entries(given)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts);
}

/** Every page of the studio, in one place. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox,
    newDraft,
    draft,
    runs,
    run,
    episodes,
    episode,
    asset,
    notes,
    packs,
    pack,
    packRun,
    packComparison,
    stages,
    stage,
  ]),
  defaultPreload: false,
  defaultErrorComponent: BrokenPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
