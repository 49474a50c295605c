import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import type { FileWarning, Place } from "../desired.ts";
import type { SourceDocument } from "../source/document.ts";
import { placeIn, placeText } from "../source/place.ts";

interface PlacedProblem {
  place: Place | undefined;
  problem: Problem;
}

/** Everything that is wrong in the files of a fleet, or worth a warning, so that it is reported at once. */
export class FileReport {
  readonly warnings: FileWarning[] = [];
  private readonly found: PlacedProblem[] = [];
  private readonly reported = new Map<SourceDocument, Set<string>>();

  /** @param given the value, if it may be shown */
  problem(document: SourceDocument, path: string, rule: string, given?: string): void {
    const place = placeIn(document, path);
    const where = path === "" ? placeText(place) : `${placeText(place)} ${path}`;
    this.found.push({ place, problem: { where, rule, ...(given !== undefined && { given }) } });
    const paths = this.reported.get(document) ?? new Set();
    this.reported.set(document, paths.add(path));
  }

  /** Returns whether a member, or what contains it, has a problem already: a second one would only confuse. */
  has(document: SourceDocument, path: string): boolean {
    const paths = this.reported.get(document);
    if (!paths) return false;
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) if (paths.has(at)) return true;
    return false;
  }

  warn(document: SourceDocument, path: string, text: string): void {
    this.warnings.push({ place: placeIn(document, path), text });
  }

  /** Awaits a result; the problems of its usage error join the others, and the result is then undefined. */
  async gather<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.details.length === 0) throw error;
      this.found.push(...error.details.map((problem) => ({ place: undefined, problem })));
      return undefined;
    }
  }

  /** @throws RelayctlError usage, with every problem in the order of its file */
  throwIfAny(): void {
    if (this.found.length === 0) return;
    const files = [...new Set(this.found.map(({ place }) => place?.file))];
    const rank = ({ place }: PlacedProblem) => [files.indexOf(place?.file), place?.line ?? 0, place?.column ?? 0];
    const ranked = this.found.map(({ place, problem }) => ({ problem, rank: rank({ place, problem }) }));
    ranked.sort((one, other) => compare(one.rank, other.rank));
    throw usageError(ranked.map(({ problem }) => problem));
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
