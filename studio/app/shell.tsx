import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Connection, useLiveUpdates } from "../api/live.ts";
import { inbox } from "../api/queries.ts";
import icon from "../icon.svg";
import { KeyHelp } from "./key-help.tsx";
import { currentTheme, keepTheme, type Theme } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

const stateLabels: { readonly [state in Connection]: string } = {
  live: "Live",
  connecting: "Connecting…",
  lost: "Reconnecting…",
};

/** What surrounds every page: where one is, where one can go, whether it is live. */
export function Shell() {
  const connection = useLiveUpdates(useQueryClient());
  const [isHelpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();
  useKeys({
    "g h": () => void navigate({ to: "/" }),
    "g i": () => void navigate({ to: "/inbox" }),
    "g e": () => void navigate({ to: "/episodes" }),
    "g o": () => void navigate({ to: "/notes" }),
    "g p": () => void navigate({ to: "/packs" }),
    "g s": () => void navigate({ to: "/stages" }),
    "g r": () => void navigate({ to: "/runs" }),
    n: () => void navigate({ to: "/drafts/new" }),
    "?": () => setHelpOpen(true),
  });
  return (
    <div className="shell">
      <a className="visually-hidden" href="#content">
        Skip to the content
      </a>
      <header className="side">
        <Link to="/" className="brand">
          <img src={icon} alt="" />
          Signoff
        </Link>
        <Navigation />
        <div className="side-foot">
          <span className={`connection ${connection}`} role="status">
            {stateLabels[connection]}
          </span>
          <ThemeChoice />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function Navigation() {
  const waiting = useQuery(inbox).data?.items.length ?? 0;
  return (
    <nav className="nav" aria-label="Pages">
      <Link to="/" activeOptions={{ exact: true }}>
        Home
      </Link>
      <Link to="/inbox">
        Inbox
        {waiting > 0 && (
          <span className="badge wait">
            {waiting}
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

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(currentTheme());
  return (
    <label>
      <span className="visually-hidden">Colours</span>
      <select
        className="select"
        value={theme}
        onChange={(event) => {
          const chosen = event.target.value as Theme;
          keepTheme(chosen);
          setTheme(chosen);
        }}
      >
        <option value="system">System colours</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

export function NotFound() {
  return (
    <div className="page">
      <div className="card empty">
        <strong>There is no such page</strong>
        <Link to="/" className="button">
          Go home
        </Link>
      </div>
    </div>
  );
}
