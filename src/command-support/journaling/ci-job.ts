import { type Environment, variable } from "../../config/environment.ts";

/** Returns the URL or the name of the CI job in which a command runs; undefined outside of the known systems. */
export function ciJob(env: Environment): string | undefined {
  const read = (name: string) => variable(env, name);
  const [server, repository, run] = [read("GITHUB_SERVER_URL"), read("GITHUB_REPOSITORY"), read("GITHUB_RUN_ID")];
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  return JOB_VARIABLES.map(read).find((job) => job !== undefined) ?? (read("CI") && "CI");
}

/** GitLab, Jenkins, Buildkite, CircleCI, Azure Pipelines. */
const JOB_VARIABLES = ["CI_JOB_URL", "BUILD_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL", "BUILD_BUILDURI"];
