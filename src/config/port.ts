import { RuleError } from "./sourced.ts";

export const MAX_PORT = 65_535;

export function parsePort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new RuleError(`a whole number from 0 to ${MAX_PORT}; 0 takes any free port`, text);
}
