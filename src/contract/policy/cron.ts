const MONTHS = "january february march april may june july august september october november december".split(" ");
const DAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");

/** One field of a schedule: its minimum and maximum, the names of the values, and whether `?` is allowed. */
interface Field {
  least: number;
  most: number;
  names?: readonly string[];
  open?: true;
}

const FIELDS: readonly Field[] = [
  { least: 0, most: 59 },
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31, open: true },
  { least: 1, most: 12, names: MONTHS },
  { least: 1, most: 7, names: DAYS, open: true },
  { least: 1970, most: 2100 },
];

const SHORTHAND = /^@(?:yearly|monthly|weekly|daily|hourly)$/;
const PART = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/([0-9]+))?$/;

/** The form to type: seconds come first, and the year is optional. */
export const CRON_FORM = `${FIELDS.length - 1} or ${FIELDS.length} cron fields, seconds first, e.g. 0 0 * * * *`;

/**
 * Returns the service's words for a schedule that it can't parse (facts 4.3), whose first field is seconds. Left to the
 * service: a range of a name and a number, a step above the maximum, abbreviations of a name, and spaces around `*`.
 */
export function cronProblem(text: string): string | undefined {
  const schedule = text.trim();
  if (schedule === "") return "Empty cron schedule is not accepted";
  if (SHORTHAND.test(schedule)) return undefined;
  const fields = schedule.replace(/\s*([,/-])\s*/g, "$1").split(/\s+/);
  const isRight = fields.length >= FIELDS.length - 1 && fields.every((typed, index) => isField(typed, FIELDS[index]));
  return isRight ? undefined : `Invalid cron schedule format: ${CRON_FORM}`;
}

function isField(typed: string, field: Field | undefined): boolean {
  return field !== undefined && typed.split(",").every((part) => isPart(part, field));
}

/** Matches `*`, `5`, `1-5`, `MON-FRI`, each optionally with a step, e.g. `/15` after `*`. A single name has none. */
function isPart(part: string, field: Field): boolean {
  const [whole, every, from = "", to, step] = PART.exec(part) ?? [];
  if (whole === undefined || Number(step) === 0) return false;
  if (every) return every === "*" || field.open === true;
  if (to === undefined && step !== undefined && !isNumber(from)) return false;
  return parsePoint(from, field) <= parsePoint(to ?? from, field);
}

/** Returns NaN for a value outside the field. */
function parsePoint(point: string, { least, most, names = [] }: Field): number {
  if (isNumber(point)) return Number(point) >= least && Number(point) <= most ? Number(point) : Number.NaN;
  const index = point.length < 3 ? -1 : names.findIndex((name) => name.startsWith(point.toLowerCase()));
  return index < 0 ? Number.NaN : least + index;
}

function isNumber(point: string): boolean {
  return /^[0-9]+$/.test(point);
}
