import { answer, type Fault, READ, send, sendReply } from "../fault.ts";

/** Unusual and all right. */
export const fine: readonly Fault[] = [
  { name: "nothing", steps: [READ, answer({})] },
  { name: "chunks", steps: [READ, answer({ encoding: "chunked" })] },
  { name: "a body until the close", steps: [READ, answer({ encoding: "until close" })] },
  { name: "pieces", steps: [READ, answer({ encoding: "in pieces" })] },
  { name: "early hints first", steps: [READ, send("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"), answer({})] },
  { name: "JSON said to be HTML", steps: [READ, answer({ headers: { "content-type": "text/html" } })] },
  { name: "a second response", steps: [READ, answer({}), sendReply(500, "")], surplus: true as const },
  { name: "spaces around it", steps: [READ, answer({ before: " \r\n\t", after: "\n\n" })] },
  { name: "further members", steps: [READ, answer({ data: { constructor: "x", unknown: { deep: [1, null] } } })] },
].map((fault) => ({ ...fault, row: "fine", code: 0 }) as Fault);
