import type { PlotOptions } from "@observablehq/plot";
import { type LinkOptions, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./figure.module.css";

type Plot = typeof import("@observablehq/plot");

/** What a point of a chart opens. */
export interface Opens {
  readonly to?: LinkOptions;
}

/**
 * A chart with axes and tooltips; a click opens what the point under the pointer shows. The table says the same to
 * those who do not see it, and its links work without a mouse.
 */
export function Figure(props: {
  readonly caption: string;
  readonly draw: (plot: Plot, width: number) => PlotOptions;
  readonly table: ReactNode;
}) {
  const { caption, draw, table } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = usePlot();
  const width = useWidth(place);
  const navigate = useNavigate();
  useEffect(() => {
    const holder = place.current;
    if (plot === undefined || holder === null || width === 0) return;
    const drawn = plot.plot({
      ...{ width, className: styles.plot ?? "plot", marginLeft: 48, marginBottom: 40 },
      style: { background: "transparent", color: "inherit" },
      ...draw(plot, width),
    });
    // Its own style sheet is forbidden by the page's policy; figure.module.css has what is needed of it.
    for (const sheet of drawn.querySelectorAll("style")) sheet.remove();
    drawn.setAttribute("aria-hidden", "true");
    const open = (): void => {
      const { to } = ((drawn as { value?: Opens }).value ?? {}) as Opens;
      if (to !== undefined) void navigate(to);
    };
    drawn.addEventListener("click", open);
    holder.replaceChildren(drawn);
    return () => drawn.remove();
  }, [plot, draw, width, navigate]);
  return (
    <figure className={styles.figure}>
      <figcaption className="soft">{caption}</figcaption>
      <div ref={place} className={styles.place} />
      <details className={styles.table}>
        <summary className="soft">As a table</summary>
        {table}
      </details>
    </figure>
  );
}

/** The library is loaded when the first chart is on the page. */
function usePlot(): Plot | undefined {
  const [plot, setPlot] = useState<Plot>();
  useEffect(() => {
    let isWanted = true;
    void import("@observablehq/plot").then((loaded) => {
      if (isWanted) setPlot(() => loaded);
    });
    return () => {
      isWanted = false;
    };
  }, []);
  return plot;
}

function useWidth(place: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const holder = place.current;
    if (holder === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.round(entry?.contentRect.width ?? 0)),
    );
    observer.observe(holder);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
