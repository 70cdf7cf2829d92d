import { notifyManager, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { Refused } from "../api/client.ts";
import { LockedOut } from "./locked-out.tsx";
import { router } from "./router.tsx";

/** Shows the pages, or the one thing to do when the server does not know this browser. */
export function App() {
  const [isLockedOut, setLockedOut] = useState(false);
  const [client] = useState(() => createClient(() => setLockedOut(true)));
  if (isLockedOut) {
    const retry = (): void => {
      client.clear();
      setLockedOut(false);
    };
    return <LockedOut onSignedIn={retry} />;
  }
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

// A button is disabled before the next click is heard, also where a slow machine hears both in one go.
notifyManager.setScheduler(queueMicrotask);

/**
 * What the server refused on purpose is not asked again. The server is on this machine: a browser without a network
 * reaches it all the same.
 */
function createClient(onLockedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof Refused && error.status === 401) onLockedOut();
      },
    }),
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        staleTime: 5_000,
        retry: (count, error) =>
          error instanceof Refused && error.status >= 400 && error.status < 500 ? false : count < 2,
      },
    },
  });
}
