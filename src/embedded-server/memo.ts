/** The maximum number of cached results of a function before all are dropped. A WeakMap costs ten times as much per object. */
const MOST = 2000;

/** Returns the result of a function for an object. Only for objects that never change, such as those in a collection. */
export type Memo = <Thing extends object, Made>(make: (thing: Thing) => Made, thing: Thing) => Made;

/** Creates the cache of one server: it calls each function once for each of the latest objects. */
export function createMemo(): Memo {
  const known = new Map<unknown, Map<object, { made: unknown }>>();
  return <Thing extends object, Made>(make: (thing: Thing) => Made, thing: Thing) => {
    const things = known.get(make) ?? new Map<object, { made: unknown }>();
    const found = things.get(thing);
    if (found) return found.made as Made;
    const made = make(thing);
    if (things.size >= MOST) things.clear();
    known.set(make, things.set(thing, { made }));
    return made;
  };
}
