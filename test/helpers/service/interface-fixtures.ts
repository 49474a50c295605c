import { readdirSync, readFileSync } from "node:fs";

/** A document of the wire, written by hand and literally as in the interface. */
export interface Fixture {
  /** The file's name without its extension. It begins with the operation. */
  name: string;
  text: string;
}

const FOLDER = new URL("../../fixtures/interface/", import.meta.url);

export function interfaceFixtures(kind: "replies" | "requests" | "failures"): Fixture[] {
  const folder = new URL(`${kind}/`, FOLDER);
  return readdirSync(folder)
    .sort()
    .map((file) => ({ name: file.replace(/\.json$/, ""), text: readFileSync(new URL(file, folder), "utf8") }));
}

export function interfaceFixture(kind: "replies" | "requests" | "failures", name: string): string {
  return readFileSync(new URL(`${kind}/${name}.json`, FOLDER), "utf8");
}
