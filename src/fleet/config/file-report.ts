import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import type { FileWarning } from "../desired.ts";
import type { SourceDocument } from "../source/document.ts";
import { placeIn, placeText } from "../source/place.ts";

interface PlacedProblem {
  file: string;
  line: number;
  column: number;
  problem: Problem;
}

/** Everything that is wrong in the files of a fleet, or worth a warning, so that it is reported at once. */
export class FileReport {
  readonly warnings: FileWarning[] = [];
  private readonly found: PlacedProblem[] = [];
  /** In the order in which they are read. */
  private readonly files = new Map<string, number>();
  private readonly reported = new Map<SourceDocument, Set<string>>();

  /** @param given the value, if it may be shown */
  problem(document: SourceDocument, path: string, rule: string, given?: string): void {
    const place = placeIn(document, path);
    const where = path === "" ? placeText(place) : `${placeText(place)} ${path}`;
    this.found.push({ ...place, problem: { where, rule, ...(given !== undefined && { given }) } });
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

  /** Awaits what a file contains; the problems of a usage error join the others, and the result is then undefined. */
  async gather<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    this.files.set(file, this.files.size);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.details.length === 0) throw error;
      this.found.push(...error.details.map((problem) => ({ file, line: 0, column: 0, problem })));
      return undefined;
    }
  }

  /** @throws RelayctlError usage, with every problem, file by file and from the top */
  throwIfAny(): void {
    if (this.found.length === 0) return;
    const order = ({ file }: PlacedProblem) => this.files.get(file) ?? 0;
    this.found.sort((one, other) => order(one) - order(other) || one.line - other.line || one.column - other.column);
    throw usageError(this.found.map(({ problem }) => problem));
  }
}
