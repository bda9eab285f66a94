/**
 * A club's provider for tests: oidc-provider, which is certified for OpenID Connect, on a port of this machine.
 *
 * node clubProvider.js '{"redirects": ["http://localhost:8000/api/sign-in/club/back"], "port": 0}'
 *
 * It writes {"issuer": ...} when it is open, and ends with its input unless it "stays". Anybody may sign in under any name. Its keys
 * are new at every start. A name such as `expired-anne` makes it sign what it should not: see `WRONGS`.
 */

import { createServer } from "node:http";
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from "jose";
import Provider from "oidc-provider";

const ALGORITHM = "RS256";
const HOUR = 3600;
const { redirects, port = 0, stays = false } = JSON.parse(process.argv[2] ?? "{}");

const own = await newKey();
const foreign = await newKey();

/** How a token is changed, by the word before the hyphen in the name; everything else in it is valid. */
const WRONGS = {
  nonce: (claims) => signed({ ...claims, nonce: "another" }),
  nononce: (claims) => signed({ ...claims, nonce: undefined }),
  audience: (claims) => signed({ ...claims, aud: "another" }),
  party: (claims) => signed({ ...claims, aud: [claims.aud, "another"], azp: "another" }),
  several: (claims) => signed({ ...claims, aud: [claims.aud, "another"] }),
  issuer: (claims) => signed({ ...claims, iss: "https://id.example.org" }),
  expired: (claims) => signed({ ...claims, exp: claims.iat - HOUR }),
  endless: (claims) => signed({ ...claims, exp: undefined }),
  future: (claims) => signed({ ...claims, iat: claims.iat + HOUR }),
  old: (claims) => signed({ ...claims, iat: claims.iat - HOUR }),
  none: (claims) => `${part({ alg: "none", kid: own.kid })}.${part(claims)}.`,
  foreign: (claims) => signed(claims, { ...foreign, kid: own.kid }),
  unknown: (claims) => signed(claims, foreign),
  shared: (claims) => signedWithPublicKey(claims),
  long_ago: (claims) => signed({ ...claims, auth_time: claims.iat - HOUR }),
  silent: (claims) => signed({ ...claims, auth_time: undefined }),
};

async function newKey() {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const kid = crypto.randomUUID();
  return { ...pair, kid, jwk: { ...jwk, kid, alg: ALGORITHM, use: "sig" } };
}

function signed(claims, key = own) {
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: key.kid }).sign(key.privateKey);
}

/** The old trick: a signature with the public key as if it were a shared secret. */
async function signedWithPublicKey(claims) {
  const secret = Buffer.from(await exportSPKI(own.publicKey));
  const key = await importJWK({ kty: "oct", k: secret.toString("base64url") }, "HS256");
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: own.kid }).sign(key);
}

function part(value) {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function spoilt(token) {
  const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url"));
  const wrong = WRONGS[claims.sub.split("-")[0]];
  return wrong === undefined ? token : wrong(claims);
}

const client = {
  redirect_uris: redirects,
  grant_types: ["authorization_code"],
  response_types: ["code"],
  id_token_signed_response_alg: ALGORITHM,
};

const server = createServer();
await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
const provider = new Provider(`http://127.0.0.1:${server.address().port}`, {
  clients: [
    { ...client, client_id: "cartagena", token_endpoint_auth_method: "none" },
    {
      ...client,
      client_id: "guarded",
      client_secret: "s:e/c ret",
      token_endpoint_auth_method: "client_secret_basic",
    },
    {
      ...client,
      client_id: "posted",
      client_secret: "secret",
      token_endpoint_auth_method: "client_secret_post",
    },
  ],
  claims: { profile: ["nickname", "preferred_username", "name"] },
  conformIdTokenClaims: false,
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `Real Name of ${id}`,
      preferred_username: `${id}@example.org`,
      nickname: id,
    }),
  }),
  jwks: { keys: [own.jwk] },
  cookies: { keys: [crypto.randomUUID()] },
  pkce: { required: () => true },
});
provider.use(async (context, next) => {
  await next();
  if (context.oidc?.route === "token" && context.body?.id_token !== undefined)
    context.body.id_token = await spoilt(context.body.id_token);
});
server.on("request", provider.callback());

console.log(JSON.stringify({ issuer: provider.issuer }));
if (!stays) process.stdin.resume().on("end", () => process.exit(0));
