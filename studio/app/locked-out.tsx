import { useState } from "react";
import { exchange, tokenIn } from "../api/sign-in.ts";

export function LockedOut({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const enter = (): void => {
    const token = tokenIn(text);
    if (token === undefined) setWrong(true);
    else exchange(token).then(onSignedIn, () => setWrong(true));
  };
  return (
    <main>
      <div className="page narrow">
        <h1>Sign in to this studio</h1>
        <p>
          <code>signoff studio</code> prints an address with a token, a new one each time it starts.
          Open that address, or paste it here. If you were given a token of your own, paste that.
        </p>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            enter();
          }}
        >
          <label className="field">
            <span>Address or token</span>
            <input
              value={text}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
            />
          </label>
          {isWrong && (
            <p role="alert" className="notice bad">
              That token is wrong or has expired.
            </p>
          )}
          <div>
            <button type="submit" className="button primary">
              Open the studio
            </button>
          </div>
        </form>
      </div>
    </main>
  );
}
