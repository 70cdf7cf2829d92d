import type { ReactNode } from "react";
import { plural } from "../../design/amounts.ts";
import styles from "./new-draft.module.css";

/** A field for a text, which can also be dropped as a file. */
export function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly children: ReactNode;
}) {
  const { label, value, onChange, isRequired = false, placeholder, children } = props;
  return (
    <label className="field">
      <span>{label}</span>
      <textarea
        required={isRequired}
        value={value}
        placeholder={placeholder}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files;
          if (file === undefined) return;
          event.preventDefault();
          void file.text().then(onChange);
        }}
        onChange={(event) => onChange(event.target.value)}
      />
      <small>
        {value === "" ? "" : `${plural([...value.trim()].length, "character")}. `}
        {children} A text file can be dropped here.
      </small>
    </label>
  );
}

export interface Material {
  readonly name: string;
  readonly text: string;
}

/** Files that the writer may use and the reviewers check against. A file of the same name takes the other's place. */
export function MaterialField(props: {
  readonly value: readonly Material[];
  readonly onChange: (value: readonly Material[]) => void;
}) {
  const { value, onChange } = props;
  const add = async (files: Iterable<File>): Promise<void> => {
    const read = await Promise.all(
      [...files].map(async (file) => ({ name: file.name, text: await file.text() })),
    );
    const names = new Set(read.map(({ name }) => name));
    onChange([...value.filter(({ name }) => !names.has(name)), ...read]);
  };
  return (
    <div className="field">
      <label className="field">
        <span>Material</span>
        <input
          type="file"
          multiple
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            void add(event.dataTransfer.files);
          }}
          onChange={({ target }) => {
            void add(target.files ?? []);
            target.value = "";
          }}
        />
        <small>Text files that the writer may use and the reviewers check against.</small>
      </label>
      <ul className="stack tight">
        {value.map(({ name, text }) => (
          <li key={name} className="row">
            <span className={styles.name}>{name}</span>
            <span className="soft">{plural(text.length, "character")}</span>
            <button
              type="button"
              className="button small"
              onClick={() => onChange(value.filter((one) => one.name !== name))}
            >
              Remove<span className="visually-hidden"> {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
