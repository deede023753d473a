# SPDX-License-Identifier: Apache-2.0
"""Further real clients for scripts/check-http-clients: KServe, OpenVINO, Google's Vertex AI, Roboflow with ids, and Node's fetch.

  http_clients.py BASE MODEL ALIAS PROJECT/VERSION PHOTO

Prints a line for each; exits with 1 if one fails. KServe's and Google's packages are installed without most of their
dependencies (servers and training tools); unused imports of these are replaced by stubs.
"""

import asyncio
import base64
import importlib.abc
import importlib.machinery
import importlib.util
import json
import shutil
import subprocess
import sys
import types


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Replaces packages that a client imports but does not use here: each of their names is an empty class."""

    NAMES = ("cloudevents", "docstring_parser", "fastapi", "google.cloud.bigquery", "google.cloud.resourcemanager",
             "google.cloud.resourcemanager_v3", "google.cloud.storage", "google.genai", "kubernetes", "pandas", "psutil",
             "shapely", "yaml")

    def find_spec(self, name, path=None, target=None):
        if any(name == absent or name.startswith(absent + ".") for absent in self.NAMES):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)

        def missing(name):
            if name.startswith("__"):
                raise AttributeError(name)
            return type(name, (Exception,), {})

        module.__getattr__ = missing
        return module

    def exec_module(self, module):
        pass


BASE, MODEL, ALIAS, ID, PHOTO = sys.argv[1:6]
IMAGE = open(PHOTO, "rb").read()
TEXT = base64.b64encode(IMAGE).decode()


def kserve():
    """Checks KServe's client, without its package's other imports, which belong to its server."""
    spec = importlib.util.find_spec("kserve")
    package = types.ModuleType("kserve")
    package.__path__, package.__spec__ = list(spec.submodule_search_locations), spec
    sys.modules["kserve"] = package
    from kserve.inference_client import InferenceRESTClient, RESTConfig
    from kserve.protocol.infer_type import InferInput, InferRequest

    async def run():
        client = InferenceRESTClient(RESTConfig(protocol="v2"))
        assert await client.is_server_live(BASE) is True
        assert await client.is_server_ready(BASE) is True
        assert await client.is_model_ready(BASE, MODEL) is True
        assert await client.is_model_ready(BASE, "no") is False
        image = InferInput("image", [1], "BYTES", data=[TEXT])
        answer = await client.infer(BASE, InferRequest(MODEL, [image]), model_name=MODEL)
        assert any(output.name == "boxes" for output in answer.outputs), answer
        try:
            await client.infer(BASE, InferRequest("no", [image]), model_name="no")
        except Exception as error:
            assert "There is no model 'no'" in str(error), error
        else:
            raise AssertionError("a missing model has an answer")
        first = InferenceRESTClient(RESTConfig(protocol="v1"))
        assert await first.is_model_ready(BASE, MODEL) is True
        rows = await first.infer(BASE, {"instances": [{"image_bytes": {"b64": TEXT}}]}, model_name=MODEL)
        assert rows["predictions"][0]["num_detections"] > 0

    asyncio.run(run())


def ovms():
    """Checks the client of OpenVINO's model server, over TF Serving's REST."""
    from ovmsclient import make_http_client
    client = make_http_client(BASE.split("//")[1])
    for version in (0, 1):
        assert client.get_model_status(MODEL, version)[1]["state"] == "AVAILABLE"
        assert client.get_model_metadata(MODEL, version)["inputs"]["image_bytes"]["dtype"] == "DT_STRING"
    assert len(client.predict({"image_bytes": [IMAGE]}, MODEL)) > 0
    try:
        client.get_model_status(MODEL, 9)
    except Exception as error:
        assert "version" in str(error), error
    else:
        raise AssertionError("a missing version has a status")


def vertex():
    """Checks Google's Endpoint, with a number as its id."""
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import aiplatform
    aiplatform.init(project="p", location="us-central1", credentials=AnonymousCredentials(), api_endpoint=BASE,
                    api_transport="rest")
    endpoint = aiplatform.Endpoint(f"projects/p/locations/us-central1/endpoints/{ALIAS}")
    answer = endpoint.predict(instances=[{"content": TEXT}], parameters={"confidenceThreshold": 0.5})
    assert answer.predictions[0]["displayNames"], answer


def roboflow():
    """Checks Roboflow's SDK with ids of project and version, of a name and of a version, in both of its modes."""
    from inference_sdk import InferenceConfiguration, InferenceHTTPClient
    from PIL import Image
    counts = []
    for name in (ID, f"{MODEL}/1"):
        for mode in ("select_api_v0", "select_api_v1"):
            client = InferenceHTTPClient(api_url=BASE, api_key="none")
            getattr(client, mode)()
            client.configure(InferenceConfiguration(confidence_threshold=0.5, iou_threshold=0.5))
            counts.append(len(client.infer(Image.open(PHOTO), model_id=name)["predictions"]))
    assert min(counts) == max(counts) > 0, counts


def node():
    """Checks Node's fetch, which keeps writing while a refusal arrives."""
    if shutil.which("node") is None:
        return "skipped: there is no node"
    program = """
      const body = new Uint8Array(658000), counts = {};
      for (let number = 0; number < 20; number += 1) {
        let result;
        try { result = (await fetch(process.argv[1] + '/v1/nothing', { method: 'POST', body })).status; }
        catch (error) { result = error.cause?.code ?? String(error); }
        counts[result] = (counts[result] ?? 0) + 1;
      }
      console.log(JSON.stringify(counts));"""
    done = subprocess.run(["node", "--input-type=module", "-e", program, BASE], capture_output=True, text=True, timeout=120,
                          check=True)
    assert json.loads(done.stdout) == {"404": 20}, done.stdout
    return None


def main():
    sys.meta_path.insert(0, Absent())
    failures = 0
    for check in (kserve, ovms, vertex, roboflow, node):
        try:
            print("ok   ", check.__name__, check() or "", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failures += 1
            print("FAILS", check.__name__, type(error).__name__, str(error)[:300], flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
