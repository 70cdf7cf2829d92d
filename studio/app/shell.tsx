import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useLayoutEffect, useState } from "react";
import { type Connection, useLiveUpdates } from "../api/live.ts";
import { waiting } from "../api/queries.ts";
import { PageTitle } from "../design/page-title.tsx";
import states from "../design/states.module.css";
import { Toasts } from "../design/toasts.tsx";
import icon from "../icon.svg";
import { KeyHelp } from "./key-help.tsx";
import styles from "./shell.module.css";
import { useKeys } from "./use-keys.ts";
import { useTypedAhead } from "./use-typed-ahead.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

const SettingsMenu = lazy(async () => ({
  default: (await import("./settings-menu.tsx")).SettingsMenu,
}));

const stateLabels: { readonly [state in Connection]: string } = {
  live: "Live",
  connecting: "Connecting…",
  lost: "Reconnecting…",
};

/** What surrounds every page: navigation, search, and whether what is shown is live. */
export function Shell() {
  const connection = useLiveUpdates(useQueryClient());
  const [open, setOpen] = useState<"help" | "palette">();
  const navigate = useNavigate();
  const close = useCallback(() => setOpen(undefined), []);
  const [sought, setSought] = useState("");
  const openPalette = (): void => {
    setSought("");
    setOpen("palette");
  };
  usePaletteKey(openPalette);
  useTypedAhead(open === "palette", setSought, close);
  useKeys({
    "g h": () => void navigate({ to: "/" }),
    "g i": () => void navigate({ to: "/inbox" }),
    "g e": () => void navigate({ to: "/episodes" }),
    "g o": () => void navigate({ to: "/notes" }),
    "g p": () => void navigate({ to: "/packs" }),
    "g s": () => void navigate({ to: "/stages" }),
    "g r": () => void navigate({ to: "/runs" }),
    n: () => void navigate({ to: "/drafts/new" }),
    "/": openPalette,
    "?": () => setOpen("help"),
  });
  return (
    <div className={`shell ${connection}`}>
      <a className="visually-hidden" href="#content">
        Skip to the content
      </a>
      <header className="side">
        <Link to="/" className="brand">
          <img src={icon} alt="" />
          Signoff
        </Link>
        <button type="button" className={`button ${styles.search}`} onClick={openPalette}>
          Go to… <kbd>{isApple() ? "⌘K" : "Ctrl K"}</kbd>
        </button>
        <Navigation />
        <div className={styles.foot}>
          <span className={`${styles.connection} ${styles[connection] ?? ""}`} role="status">
            {stateLabels[connection]}
          </span>
          <Settings onHelp={() => setOpen("help")} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {connection === "lost" && <LostServer />}
        <Outlet />
      </main>
      {open === "help" && <KeyHelp onClose={close} />}
      {open === "palette" && (
        <Suspense>
          <Palette text={sought} onText={setSought} onClose={close} />
        </Suspense>
      )}
      <Toasts />
    </div>
  );
}

/** The menu is loaded by the first click that opens it. */
function Settings({ onHelp }: { readonly onHelp: () => void }) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <button type="button" className="button small" onClick={() => setWanted(true)}>
      Settings
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <SettingsMenu onHelp={onHelp} />
    </Suspense>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/u.test(navigator.userAgent);
}

/** Works in fields too, unlike the single keys. Attached before the first paint, like those. */
function usePaletteKey(open: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}

function LostServer() {
  return (
    <div role="alert" className={`notice bad ${styles.banner}`}>
      <strong>The server does not answer. What you see may be out of date.</strong>
      <span>
        This page reconnects by itself. If the studio was stopped, start it again with{" "}
        <code>signoff studio</code> and open the address it prints.
      </span>
    </div>
  );
}

function Navigation() {
  const items = useQuery(waiting).data ?? 0;
  return (
    <nav className={styles.nav} aria-label="Pages">
      <Link to="/" activeOptions={{ exact: true }}>
        Home
      </Link>
      <Link to="/inbox">
        Inbox
        {items > 0 && (
          <span className="badge wait">
            {items}
            <span className="visually-hidden"> waiting</span>
          </span>
        )}
      </Link>
      <Link to="/episodes">Episodes</Link>
      <Link to="/notes">Notes</Link>
      <Link to="/packs">Packs</Link>
      <Link to="/stages">Stages</Link>
      <Link to="/runs">Runs</Link>
      <Link to="/drafts/new">New draft</Link>
    </nav>
  );
}

export function NotFound() {
  return (
    <div className="page">
      <div className={`card ${states.empty}`}>
        <PageTitle>Page not found</PageTitle>
        <p>There is nothing at this address.</p>
        <Link to="/" className="button">
          Go home
        </Link>
      </div>
    </div>
  );
}

/** A page that broke leaves the rest of the studio usable. */
export function BrokenPage({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset: () => void;
}) {
  return (
    <div className="page">
      <div className={`card ${states.empty}`} role="alert">
        <PageTitle>This page failed to load</PageTitle>
        <p>{error instanceof Error ? error.message : "An unknown error."}</p>
        <p>Nothing that was recorded is affected. If it happens again, reload the page.</p>
        <button type="button" className="button primary" onClick={reset}>
          Try again
        </button>
      </div>
    </div>
  );
}
