#include "libmemfs/guard/secret_rules.h"

#include <array>

namespace memfs {
namespace {

// A name goes on for a while, then comes a sign that gives it a value, perhaps a quotation mark.
// The full-width colon is there for CJK texts.
#define MEMFS_GIVES                                                                                 \
  R"([A-Za-z0-9_.-]{0,24}\\?["'`\]]{0,2}[ \t]{0,8}(?::[ ]?[A-Za-z]{1,12}[ ]?=|={1,3}>?|:=|=>|:|>|)" \
  "\xEF\xBC\x9A"                                                                                    \
  R"()[ \t]{0,8}\\?["'`]?)"

constexpr std::array kRules = {
    SecretRule{"github-token", "GitHub access token", "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
               R"(gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"},
    SecretRule{"gitlab-token", "GitLab access, deploy, runner or trigger token",
               "glpat-|gldt-|glrt-|glptt-|glcbt-|glft-|glsoat-|glimt-|glagent-|gloas-",
               R"(gl(?:pat|dt|rt|ptt|cbt|ft|soat|imt|agent|oas)-[A-Za-z0-9_.-]{20,100})"},
    SecretRule{"aws-access-key", "AWS access key id", "akia|asia|abia|acca",
               R"((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})"},
    SecretRule{"aws-secret-key", "AWS secret access key",
               "secret_access_key|secretaccesskey|secret-access-key|aws_secret_key|secretkey",
               R"((?i:secret[_-]?access[_-]?key|aws_secret_key|secretkey))" MEMFS_GIVES
               R"(([A-Za-z0-9/+]{40}))"},
    SecretRule{"google-api-key", "Google API key", "aiza", R"(AIza[A-Za-z0-9_-]{35})"},
    SecretRule{"google-oauth-secret", "Google OAuth client secret or token", "gocspx-|ya29.",
               R"(GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{40,300})"},
    SecretRule{"slack-token", "Slack token", "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxe-|xoxe.|xapp-",
               R"(xox[abprse](?:\.xox[bp])?-[0-9A-Za-z-]{24,300}|xapp-\d-[A-Za-z0-9-]{40,200})"},
    SecretRule{"slack-webhook", "Slack incoming webhook", "hooks.slack.com/",
               R"(hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{30,150})"},
    SecretRule{"stripe-key", "Stripe secret key, restricted key or webhook secret",
               "sk_live_|sk_test_|rk_live_|rk_test_|whsec_",
               R"([sr]k_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/]{32,64}=?)"},
    SecretRule{"anthropic-key", "Anthropic API key", "sk-ant-",
               R"(sk-ant-[a-z]{3,8}\d\d-[A-Za-z0-9_-]{60,160})"},
    SecretRule{"openai-key", "OpenAI API key", "sk-",
               R"(sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,250}|[A-Za-z0-9]{40,64}))"},
    SecretRule{"npm-token", "npm access token", "npm_", R"(npm_[A-Za-z0-9]{36})"},
    SecretRule{"pypi-token", "PyPI upload token", "pypi-age", R"(pypi-AgE[A-Za-z0-9_-]{50,300})"},
    SecretRule{"huggingface-token", "Hugging Face token", "hf_|api_org_",
               R"((?:hf|api_org)_[A-Za-z0-9]{34})"},
    SecretRule{"sendgrid-key", "SendGrid API key", "sg.",
               R"(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"},
    SecretRule{"twilio-key", "Twilio API key", "sk", R"(SK[0-9a-f]{32})"},
    SecretRule{"telegram-token", "Telegram bot token", ":aa", R"(\d{8,10}:AA[A-Za-z0-9_-]{33})",
               SecretCheck::kToken, 10, 60},
    SecretRule{"discord-token", "Discord bot token", "discord",
               R"([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})",
               SecretCheck::kToken, 1, 180},
    SecretRule{"discord-webhook", "Discord webhook",
               "discord.com/api/webhooks/|discordapp.com/api/webhooks/",
               R"((?i:discord(?:app)?\.com)/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,80})"},
    SecretRule{"azure-storage-key", "Azure storage, bus or device key in a connection string",
               "accountkey=|sharedaccesskey=",
               R"((?i:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{43,86}={1,2}))"},
    SecretRule{"azure-client-secret", "Azure application secret", "q~",
               R"([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})", SecretCheck::kToken, 4, 50},
    SecretRule{"jwt", "JSON Web Token with its signature", "eyj",
               R"(eyJ[A-Za-z0-9_-]{14,990}\.eyJ[A-Za-z0-9_-]{14,990}\.[A-Za-z0-9_-]{20,700})",
               SecretCheck::kToken, 0, 3000},
    SecretRule{"digitalocean-token", "DigitalOcean token", "dop_v1_|doo_v1_|dor_v1_",
               R"(do[por]_v1_[0-9a-f]{64})"},
    SecretRule{"docker-token", "Docker Hub token", "dckr_pat_|dckr_oat_",
               R"(dckr_[po]at_[A-Za-z0-9_-]{24,40})"},
    SecretRule{"linear-key", "Linear API key", "lin_api_|lin_oauth_",
               R"(lin_(?:api|oauth)_[A-Za-z0-9]{40,64})"},
    SecretRule{"shopify-token", "Shopify token", "shpat_|shpca_|shppa_|shpss_",
               R"(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})"},
    SecretRule{"age-secret-key", "age secret key", "age-secret-key-1",
               R"(AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58})"},
    SecretRule{"vault-token", "HashiCorp Vault or Terraform token", "hvs.|hvb.|hvr.|.atlasv1.",
               R"(hv[sbr]\.[A-Za-z0-9_-]{24,250}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70})",
               SecretCheck::kToken, 14},
    SecretRule{"grafana-token", "Grafana token", "glsa_|glc_",
               R"(glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{40,300}=*)"},
    SecretRule{"databricks-token", "Databricks token", "dapi", R"(dapi[0-9a-f]{32}(?:-\d)?)"},
    SecretRule{"groq-key", "Groq API key", "gsk_", R"(gsk_[A-Za-z0-9]{48,56})"},
    SecretRule{"figma-token", "Figma token", "figd_", R"(figd_[A-Za-z0-9_-]{36,60})"},
    SecretRule{"notion-token", "Notion token", "ntn_", R"(ntn_[A-Za-z0-9]{40,50})"},
    SecretRule{"tailscale-key", "Tailscale key", "tskey-",
               R"(tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{20,80})"},
    SecretRule{"rubygems-key", "RubyGems API key", "rubygems_", R"(rubygems_[0-9a-f]{48})"},
    SecretRule{"postman-key", "Postman API key", "pmak-", R"(PMAK-[0-9a-f]{24}(?:-[0-9a-f]{34})?)"},
    SecretRule{"newrelic-key", "New Relic user key", "nrak-", R"(NRAK-[A-Z0-9]{27})"},
    SecretRule{"sentry-token", "Sentry token", "sntryu_|sntrys_",
               R"(sntryu_[0-9a-f]{64}|sntrys_[A-Za-z0-9+/=_-]{60,350})"},
    SecretRule{"supabase-token", "Supabase access token", "sbp_", R"(sbp_[0-9a-f]{40})"},
    SecretRule{"private-key", "private key block (PEM, OpenSSH, PGP)", "-----begin ",
               R"(-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----)",
               SecretCheck::kBlock},
    SecretRule{"url-credentials", "password in a URL", "://",
               R"(://[^\s/?#@:"'<>\x60]{0,100}:([^\s/?#@"'<>\x60]{3,200})@[A-Za-z0-9\[])",
               SecretCheck::kUrl},
    SecretRule{"http-authorization", "value of an Authorization header", "bearer |authorization",
               R"((?i:bearer[ ]{1,3}|authorization\\?["'\]]{0,2}[ ]{0,3}[:=,][ ]{0,3}\\?["'\x60]?)"
               R"((?:token|basic|bearer|bot|apikey)[ ]{1,3})([A-Za-z0-9._~+/=-]{16,800}))",
               SecretCheck::kHttp, 0, 900},
    SecretRule{"assigned-password", "value given to a name such as `password`",
               "password|passwd|passphrase|pwd|passwort|密码|密碼|パスワード|пароль",
               R"((?:(?i:password|passwd|passphrase|pwd|passwort)|[^ -~]{4,24}))" MEMFS_GIVES,
               SecretCheck::kPassword, 0, 100},
    SecretRule{"assigned-secret", "random value given to a name such as `api_key` or `token`",
               "secret|token|apikey|api_key|api-key|access_key|accesskey|access-key|auth_key|"
               "private_key|privatekey|signing_key|encryption_key|encryptionkey|master_key|"
               "credential",
               R"((?i:secret|token|api[_-]?key|access[_-]?key|auth_key|private_?key|signing_key|)"
               R"(encryption_?key|master_key|credential))" MEMFS_GIVES,
               SecretCheck::kNamedSecret, 0, 100},
};
#undef MEMFS_GIVES

}  // namespace

std::span<const SecretRule> secret_rules() { return kRules; }

}  // namespace memfs
