import { notify } from "./toasts.tsx";

/** Takes a text along: to the clipboard, or as a file. */
export function TakeText(props: { readonly text: string; readonly name: string }) {
  const { text, name } = props;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => notify({ title: "Copied to the clipboard" }),
      () => notify({ title: "The browser refused the clipboard; use Download instead" }),
    );
  };
  return (
    <span className="row">
      <button type="button" className="button small" onClick={copy}>
        Copy
      </button>
      <button type="button" className="button small" onClick={() => saveFile(name, text)}>
        Download
      </button>
    </span>
  );
}

export function saveFile(name: string, text: string, type = "text/plain;charset=utf-8"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A name for a file that says what is in it. */
export function fileNameOf(title: string, extension = "txt"): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/gu, "");
  return `${words.slice(0, 60).replace(/-+$/u, "") || "text"}.${extension}`;
}
