"""Holds what a server of the Model Context Protocol writes against the schema of its revision.

The schemas allow members that they do not know. Here they do not, so that a member which is newer than
the revision fails; what is open by design (a tool's own schemas and data, _meta) stays open.
"""
import copy
import json
import os

import jsonschema

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
STATELESS = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
OPEN = {"allOf", "inputSchema", "outputSchema", "structuredContent", "_meta", "data",
        "MetaObject",
        "ResultMetaObject", "NotificationMetaObject", "SubscriptionsListenResultMetaObject",
        "Error"}
RESULTS = {
    "initialize": "InitializeResult", "ping": "EmptyResult", "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult", "resources/read": "ReadResourceResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult",
    "prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
}
NOTIFICATIONS = {
    "notifications/progress": "ProgressNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}


def closed(schema, name=""):
    """The schema without room for members that it does not name."""
    if name in OPEN or not isinstance(schema, (dict, list)):
        return schema
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    result = {key: closed(value, key) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        result["additionalProperties"] = False
    return result


class Schema:
    def __init__(self, folder, revision):
        with open(os.path.join(folder, f"schema-{revision}.json"), encoding="utf-8") as file:
            whole = json.load(file)
        self.key = "definitions" if "definitions" in whole else "$defs"
        whole[self.key] = {name: closed(each, name) for name, each in whole[self.key].items()}
        self.whole = whole
        self.kinds = {}

    def check(self, kind, value):
        if kind not in self.kinds:
            if kind not in self.whole[self.key]:
                raise AssertionError(f"the revision has no {kind}")
            root = copy.copy(self.whole)
            for other in ("anyOf", "allOf", "$ref"):
                root.pop(other, None)
            root["allOf"] = [{"$ref": f"#/{self.key}/{kind}"}]
            self.kinds[kind] = jsonschema.validators.validator_for(root)(root)
        error = jsonschema.exceptions.best_match(self.kinds[kind].iter_errors(value))
        if error is not None:
            raise AssertionError(f"{kind}: {error.message}")


class Checker:
    """Follows one conversation."""

    def __init__(self, schemas):
        self.schemas = schemas
        self.session = None
        self.last = None

    def revision_of(self, request):
        meta = (request.get("params") or {}) if isinstance(request.get("params"), dict) else {}
        meta = meta.get("_meta")
        stateless = isinstance(meta, dict) and meta.get(VERSION_KEY) is not None
        return STATELESS if stateless else self.session

    def check(self, line, message):
        """`message` is something that was said after the client's `line` (maybe no JSON)."""
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if isinstance(message, list):
            assert self.session == "2025-03-26", "a batch"
            for each in message:
                self.check_response(each, said)
        elif "method" in message:
            self.check_call(message, said if isinstance(said, dict) else {})
        else:
            self.check_response(message, [said])

    def check_call(self, message, said):
        if "id" in message:
            assert message["method"] == "roots/list", "only roots are asked for"
            assert self.session is not None, "a request outside of a session"
            kind = "ListRootsRequest"
            revision = self.session
        else:
            kind = NOTIFICATIONS[message["method"]]
            tag = "io.modelcontextprotocol/subscriptionId"
            tagged = tag in message.get("params", {}).get("_meta", {})
            progress = message["method"] == "notifications/progress"
            revision = self.revision_of(said) if progress else STATELESS if tagged else self.session
        self.check_envelope(message, {"method", "params", "id"})
        # Before 2025-11-25 the schemas of the kinds leave the envelope out.
        bare = dict(message)
        if revision < "2025-11-25":
            bare.pop("jsonrpc")
            bare.pop("id", None)
        self.schemas[revision].check(kind, bare)

    def check_envelope(self, message, allowed):
        assert message.get("jsonrpc") == "2.0", "jsonrpc"
        extra = set(message) - allowed - {"jsonrpc"}
        assert not extra, f"unknown members {extra}"

    def check_response(self, message, said):
        request = next((each for each in said if isinstance(each, dict) and "method" in each and
                        json.dumps(each.get("id")) == json.dumps(message.get("id"))), None)
        if "error" in message:
            return self.check_error(message, request)
        self.check_envelope(message, {"id", "result"})
        assert request is not None, "a result that nobody asked for"
        assert type(message["id"]) in (int, float, str), "the id"
        revision = self.revision_of(request)
        if request["method"] == "initialize":
            revision = self.session = message["result"]["protocolVersion"]
        if request["method"] == "ping" and revision is None:
            revision = "2025-11-25"
        elif revision is not None:
            self.last = revision
        self.schemas[revision].check(RESULTS[request["method"]], message["result"])
        if revision == STATELESS:
            assert message["result"]["resultType"] == "complete"
            assert "io.modelcontextprotocol/serverInfo" in message["result"]["_meta"]

    def check_error(self, message, request):
        self.check_envelope(message, {"id", "error"})
        revision = self.revision_of(request) if request else self.last
        code = message["error"]["code"]
        legacy = revision is None or revision < STATELESS
        assert not -32019 <= code <= -32000 or (code == -32002 and legacy), f"the code {code}"
        assert (code == -32022) <= (not legacy), f"the code {code}"
        checked = dict(message)
        if message.get("id", 0) is None:
            assert revision is None or revision < "2025-11-25", "an id null"
            checked["id"] = 0
        newer = revision is not None and revision >= "2025-11-25"
        kind = "JSONRPCErrorResponse" if newer else "JSONRPCError"
        if code == -32022:
            kind = "UnsupportedProtocolVersionError"
        self.schemas[revision or REVISIONS[0]].check(kind, checked)


def load(folder):
    return {revision: Schema(folder, revision) for revision in REVISIONS}
