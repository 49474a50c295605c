/** Things that a script can wait for. What has ended stays ended. */
export type Happening = "asked again" | "end";

export interface Events {
  happened(what: Happening): void;
  next(what: Happening): Promise<void>;
}

export function createEvents(): Events {
  const waiting: Record<Happening, (() => void)[]> = { "asked again": [], end: [] };
  let ended = false;
  return {
    happened(what) {
      ended ||= what === "end";
      for (const wake of waiting[what].splice(0)) wake();
    },
    next: (what) => (ended ? Promise.resolve() : new Promise((resolve) => waiting[what].push(resolve))),
  };
}
