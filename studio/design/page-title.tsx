import { useRouterState } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";

/** What is longer, such as a brief of many pages, is cut in headings. */
export const longestTitle = 160;

let isFirstPage = true;

/**
 * The heading of a page, which is also its title in the browser's tab. It takes the focus when a person comes from
 * another page, so that the keyboard and screen readers continue here.
 */
export function PageTitle({ children }: { readonly children: string }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useLayoutEffect(() => {
    document.title = `${children} · Signoff`;
  }, [children]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page, whatever its heading says
  useLayoutEffect(() => {
    const isArriving = !isFirstPage;
    isFirstPage = false;
    const { activeElement } = document;
    const isFree =
      activeElement === document.body || activeElement?.closest("main, header") != null;
    const isTyping = activeElement?.matches("input, textarea, select") === true;
    if (isArriving && isFree && !isTyping) ref.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}
