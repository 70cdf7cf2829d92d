const reference = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu;

/** Replaces numbered HTML entities and those with the given names; any other stays as it is written. */
export function decodeEntities(text: string, names: { readonly [name: string]: string }): string {
  return text.replace(reference, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return names[name.toLowerCase()] ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}
