import { LOCAL_CODES, RELAYER_CODES, SERVICE_CODES, SEVERITIES } from "../../../doctor/codes.ts";
import { helpSection, helpText, type TopicPage } from "../block.ts";

export const MEANINGS = { fail: "stops work now", warn: "will stop work, or could", note: "is worth knowing" };

export const codesPage: TopicPage = () => [
  helpText(
    "`relayctl doctor` makes these checks. It makes checks that begin with LOCAL- only with --local. Codes are stable: `--only` and `--ignore` select by them.",
  ),
  ...SEVERITIES.map((severity) => {
    const checks = Object.entries({ ...SERVICE_CODES, ...RELAYER_CODES, ...LOCAL_CODES }).filter(
      ([, check]) => check.severity === severity,
    );
    return helpSection(
      `${severity}: ${MEANINGS[severity]}`,
      checks.map(([term, { about }]) => ({ term, text: about })),
    );
  }),
];
