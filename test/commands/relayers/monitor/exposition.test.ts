import { cli } from "../../../helpers/cli.ts";
import { samplesIn } from "./exposition.ts";

test("the metrics of the embedded server are valid too", async () => {
  const { stdout } = await cli("server metrics --all");
  expect(samplesIn(stdout)).toHaveLength(5);
});
