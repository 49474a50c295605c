import * as z from "zod/mini";
import { type JsonValue, parseJson } from "../../src/contract/json.ts";

/** What a request schema finds wrong with a body in JSON: `path: message` each, none when it is accepted. */
export function issuesOf(schema: z.ZodMiniType, body: string | JsonValue): string[] {
  const found = z.safeParse(schema, typeof body === "string" ? parseJson(body) : body, {
    error: () => "Invalid input",
  });
  return found.error?.issues.map((issue) => `${issue.path.map(String).join(".")}: ${textOf(issue)}`) ?? [];
}

function textOf(issue: z.core.$ZodIssue): string {
  return issue.code === "unrecognized_keys" ? `unknown ${issue.keys.join(", ")}` : issue.message;
}

/** The end of the rule for a number, if its JSON is a text. */
export const quotesNote = (json: string) => (json.startsWith('"') ? ", without quotes" : "");
