#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Uses a model host through Node's fetch like a web app of another site; run by scripts/test-host.
//
//   host_fetch.mjs BASE PROJECT APP_KEY MODEL ORIGIN

import { createHash } from "node:crypto";

const [base, project, key, model, origin] = process.argv.slice(2);
const checks = [];
const check = (name, body) => checks.push([name, body]);
const expect = (is, seen) => {
  if (!is) throw new Error(`saw ${JSON.stringify(seen)}`);
};
const page = { Origin: origin };
const information = `${base}/v1beta2/projects/${project}/models/${model}:download?key=${key}`;
const gzip = async (text) =>
  new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer());

check("a preflight for each method and header of a web app", async () => {
  for (const url of [information, `${base}/v1/projects/${project}/installations?key=${key}`]) {
    const answer = await fetch(url, {
      method: "OPTIONS",
      headers: { ...page, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,if-none-match" },
    });
    expect(answer.status === 204, answer.status);
    expect(answer.headers.get("access-control-allow-origin") === origin, [...answer.headers]);
    expect(/POST/.test(answer.headers.get("access-control-allow-methods")), [...answer.headers]);
    expect(/if-none-match/i.test(answer.headers.get("access-control-allow-headers")), [...answer.headers]);
  }
});

check("a model with its tag, and 304 if the page has it", async () => {
  const answer = await fetch(information, { headers: page });
  expect(answer.status === 200 && answer.headers.get("access-control-allow-origin") === origin, [...answer.headers]);
  expect(/etag/i.test(answer.headers.get("access-control-expose-headers")), [...answer.headers]);
  const tag = answer.headers.get("etag");
  const file = await fetch((await answer.json()).downloadUri, { headers: page });
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(createHash("sha256").update(bytes).digest("hex") === tag, tag);
  const part = await fetch(file.url, { headers: { ...page, Range: "bytes=4-7" } });
  expect(part.status === 206 && (await part.text()) === "TFL3", part.status);
  const again = await fetch(information, { headers: { ...page, "If-None-Match": tag } });
  expect(again.status === 304 && again.headers.get("etag") === tag, again.status);
});

check("an installation with a gzip body, and a configuration", async () => {
  const made = await fetch(`${base}/v1/projects/${project}/installations`, {
    method: "POST", headers: { ...page, "X-Goog-Api-Key": key, "Content-Encoding": "gzip" }, body: await gzip('{"fid": "device-1"}'),
  });
  expect(made.status === 200 && (await made.json()).authToken.token.length > 20, made.status);
  const fetched = await fetch(`${base}/v1/projects/${project}/namespaces/firebase:fetch?key=${key}`, {
    method: "POST", headers: page, body: '{"app_id": "1:1:web:a"}',
  });
  expect(fetched.status === 200 && fetched.headers.get("etag"), fetched.status);
});

check("refusals are readable, but not for other sites", async () => {
  const wrong = await fetch(information.replace(key, "wrong-key"), { headers: page });
  expect(wrong.status === 400 && /API key not valid/.test((await wrong.json()).error.message), wrong.status);
  const other = await fetch(information, { headers: { Origin: "https://evil.example" } });
  expect(other.status === 403 && !other.headers.has("access-control-allow-origin"), other.status);
  const closed = await fetch(`${base}/v1/host/projects/${project}/models`, { headers: page });
  expect(closed.status === 403 && !closed.headers.has("access-control-allow-origin"), closed.status);
});

let right = 0;
for (const [name, body] of checks) {
  try {
    await body();
    right += 1;
  } catch (error) {
    console.log(`  ${name}: ${error.message}`);
  }
}
console.log(`test-host: Node ${process.version}: ${right} of ${checks.length} checks`);
process.exit(right === checks.length ? 0 : 1);
