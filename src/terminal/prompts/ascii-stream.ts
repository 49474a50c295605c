import { Writable } from "node:stream";
import { asciiDrawing } from "../ascii.ts";
import { type ColorEnvironment, hasUnicode } from "../capabilities.ts";

/** Returns a stream of Node for prompts, by the rule of `asciiOutput`. It has the size of the terminal. */
function streamForPeople(stream: Writable, env: ColorEnvironment): Writable {
  if (hasUnicode(env)) return stream;
  const drawing = new Writable({
    decodeStrings: false,
    // The stream itself reports its failure.
    write: (chunk: unknown, _encoding, done) => void stream.write(asciiDrawing(String(chunk)), () => done()),
  });
  const sizeGetter = (name: "columns" | "rows") => ({ get: () => Reflect.get(stream, name) });
  return Object.defineProperties(drawing, { columns: sizeGetter("columns"), rows: sizeGetter("rows") });
}

export function streamsForPeople<T extends { output: Writable }>(streams: T, env: ColorEnvironment) {
  return { ...streams, output: streamForPeople(streams.output, env) };
}
