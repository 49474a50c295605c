import type { App } from "../app.ts";
import type { ChainNode } from "../chain/node/node.ts";
import { urlNode } from "../chain/node/url-node.ts";
import type { ClientContext } from "../client/client-context.ts";
import { readCertificates } from "../config/connection/certificates.ts";
import { proxyFor, usesTls } from "../config/connection/proxy.ts";
import type { ServiceSettings } from "../config/resolve-settings.ts";
import { type Problem, usageError } from "../errors.ts";
import { hideUrl } from "./hide-secrets.ts";

export async function openOwnNode(
  url: string,
  app: App,
  settings: Pick<ServiceSettings, "caFiles" | "typedProxy">,
  { clock, interrupt, timeout, remaining }: Pick<ClientContext, "clock" | "interrupt" | "timeout" | "remaining">,
): Promise<ChainNode> {
  const { origin } = new URL(url);
  hideUrl(app, url);
  const problems: Problem[] = [];
  const proxy = proxyFor(origin, settings.typedProxy, app.env, problems);
  if (problems.length > 0) throw usageError(problems);
  const caCertificates = usesTls(url, proxy?.value) ? await readCertificates(settings.caFiles, app.files) : [];
  if (proxy) hideUrl(app, proxy.value);
  const transport = await app.network({ origin, caCertificates, ...(proxy && { proxy: proxy.value }) });
  return urlNode({ url, transport, clock, interrupt, timeout, ...(remaining && { remaining }) });
}
