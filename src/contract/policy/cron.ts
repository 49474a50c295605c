/** One field of a schedule: the least and the most number in it. */
const FIELDS = [
  { least: 0, most: 59 },
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: true },
  { least: 1, most: 7, names: true },
  { least: 1970, most: 2100 },
];

type Field = (typeof FIELDS)[number];

const SHORTHAND = /^@(?:yearly|monthly|weekly|daily|hourly)$/;
const PART = /^(?:[*?]|(\w+)(?:-(\w+))?)(?:\/([0-9]+))?$/;

/** What is typed: seconds come first, and the year may be left out. */
export const CRON_FORM = "6 or 7 cron fields, seconds first, as 0 0 * * * *";

/** Why the service does not read a schedule, which it does with seconds first, in its words (service-facts 4.3), or nothing. */
export function cronProblem(text: string): string | undefined {
  if (text.trim() === "") return "Empty cron schedule is not accepted";
  if (SHORTHAND.test(text)) return undefined;
  const fields = text.trim().split(/\s+/);
  const isRight = fields.length >= 6 && fields.every((typed, index) => isField(typed, FIELDS[index]));
  return isRight ? undefined : `Invalid cron schedule format: ${CRON_FORM}`;
}

function isField(typed: string, field: Field | undefined): boolean {
  return field !== undefined && typed.split(",").every((part) => isPart(part, field));
}

/** `*`, `5`, `1-5`, `MON-FRI`, each perhaps with a step: `*`, then `/15`. */
function isPart(part: string, field: Field): boolean {
  const [whole, from, to, step] = PART.exec(part) ?? [];
  if (whole === undefined || (step !== undefined && Number(step) === 0)) return false;
  if (![from, to].every((point) => point === undefined || isPoint(point, field))) return false;
  return from === undefined || to === undefined || !(Number(from) > Number(to));
}

/** The name of a month or of a day is taken as it is: there are several spellings. */
function isPoint(point: string, { least, most, names }: Field): boolean {
  if (/^[0-9]+$/.test(point)) return Number(point) >= least && Number(point) <= most;
  return names === true && /^[A-Za-z]{3,}$/.test(point);
}
