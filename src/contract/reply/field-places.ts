import { FIELD, type ItemSpan, type ScannedList } from "../json/list-scanner.ts";

/** Finds some fields of items in the bytes of a response. */
export class FieldPlaces {
  /** By name: where the last item's value starts, and the position after it; 0 without a value. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  private readonly names: readonly string[];
  private list: ScannedList | undefined;
  /** For each key of the list the number of its name, or -1. */
  private wanted = new Int32Array();

  constructor(names: readonly string[]) {
    this.names = names;
    this.starts = new Int32Array(names.length);
    this.ends = new Int32Array(names.length);
  }

  find(item: ItemSpan): void {
    const { list, fieldsStart, fieldsEnd } = item;
    if (list !== this.list) this.wanted = Int32Array.from(list.keys.names, (name) => this.names.indexOf(name));
    this.list = list;
    const { starts, ends, wanted } = this;
    const { numbers } = list;
    for (let name = 0; name < starts.length; name++) {
      starts[name] = 0;
      ends[name] = 0;
    }
    for (let at = fieldsStart; at < fieldsEnd; at += FIELD) {
      const name = wanted[numbers[at] as number] as number;
      if (name < 0) continue;
      starts[name] = numbers[at + 1] as number;
      ends[name] = numbers[at + 2] as number;
    }
  }
}
