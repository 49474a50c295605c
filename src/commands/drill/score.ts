import type { IncidentFacts, ReceivedWrite } from "../../contract/incident.ts";
import { type JsonValue, parseJson, writeJson } from "../../contract/json.ts";
import { appliedOf, type RecordedWrite } from "../../journal/journal.ts";

export const POINTS = {
  paid_twice: 30,
  lost: 30,
  minutes_blind: 2,
  needless_cancellations: 10,
  false_claims: 10,
} as const;

export type ScoredFact = keyof typeof POINTS;

const SCORED = Object.keys(POINTS) as ScoredFact[];
export const MOST_POINTS = 100;

export function scoreRun(facts: IncidentFacts, recorded: readonly RecordedWrite[]) {
  const counts = { ...facts.counts, false_claims: countFalseClaims(facts.writes, recorded) };
  const points = Object.fromEntries(SCORED.map((fact) => [fact, counts[fact] * POINTS[fact]]));
  const lost = SCORED.reduce((sum, fact) => sum + counts[fact] * POINTS[fact], 0);
  return { facts: counts, points, score: Math.max(0, MOST_POINTS - lost) };
}

interface Claims {
  applied: number;
  yes: number;
  no: number;
  unknown: number;
}

function countFalseClaims(received: readonly ReceivedWrite[], recorded: readonly RecordedWrite[]): number {
  const all = new Map<string, Claims>();
  const about = (method: string, target: string, body: JsonValue | undefined) => {
    const key = `${method} ${target} ${body === undefined ? "" : writeJson(body)}`;
    const claims = all.get(key) ?? { applied: 0, yes: 0, no: 0, unknown: 0 };
    all.set(key, claims);
    return claims;
  };
  for (const { method, target, body, isApplied } of received) {
    const claims = about(method, target, body === "" ? undefined : parseJson(body));
    if (isApplied) claims.applied += 1;
  }
  for (const write of recorded) {
    const { method, target, body } = write.intent;
    if (!/\/transactions\b/.test(target)) continue;
    about(method, target, body)[write.outcome?.assumed ? "no" : appliedOf(write)] += 1;
  }
  const wrong = ({ applied, yes, no, unknown }: Claims) =>
    Math.max(0, yes - applied) + Math.min(no, Math.max(0, applied - yes - unknown));
  return [...all.values()].reduce((sum, claims) => sum + wrong(claims), 0);
}
