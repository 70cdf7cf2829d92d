/** `turnNumber` as a type: `turn_number`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type WireName<Name> = Name extends string ? (string extends Name ? Name : Snake<Name>) : never;

type Plain = string | number | boolean | null | undefined;

/** What `toWire` with `absent: "null"` makes of a value, as a type: what a client receives. */
export type Wire<T> = T extends Plain
  ? Unbranded<T>
  : T extends readonly (infer Element)[]
    ? readonly Wire<Element>[]
    : T extends object
      ? {
          readonly [Name in keyof T as WireName<Name>]-?: object extends Pick<T, Name>
            ? Wire<Exclude<T[Name], undefined>> | null
            : Wire<T[Name]>;
        }
      : T;

/** What `fromWire` reads, as a type: what a client sends. Absent members may be left out. */
export type WireInput<T> = T extends Plain
  ? Unbranded<T>
  : T extends readonly (infer Element)[]
    ? readonly WireInput<Element>[]
    : T extends object
      ? { readonly [Name in keyof T as WireName<Name>]: WireInput<T[Name]> }
      : T;

/** A branded string is any string to a client; a literal stays the literal. */
type Unbranded<T> = T extends { readonly __brand: string } ? string : T;
