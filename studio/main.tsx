import "./design/tokens.css";
import "./design/base.css";
import "./design/components.css";
import "./design/layout.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { signIn } from "./api/sign-in.ts";
import { App } from "./app/app.tsx";
import { applyTheme } from "./app/preferences.ts";

applyTheme();
await signIn();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place for the studio.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
