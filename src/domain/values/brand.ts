/** A string that can only be made on purpose. */
export type Brand<T, B extends string> = T & { readonly __brand: B };
