import { Link } from "@tanstack/react-router";

/** The way back from a page of a pack's runs. */
export function PackTrail({ pack }: { readonly pack: string }) {
  return (
    <p className="soft">
      <Link to="/packs">Packs</Link> /{" "}
      <Link to="/packs/$pack" params={{ pack }}>
        {pack}
      </Link>
    </p>
  );
}
