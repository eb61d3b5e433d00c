/** Optional fields of an object, which are absent rather than undefined. */

type Defined<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

/** The fields that are not undefined, in their order: `{ ...defined({ from, to }) }`. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
