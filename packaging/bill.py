"""The bill of materials of a release, as CycloneDX 1.6 (JSON)."""

import datetime
import json
import urllib.parse
import uuid


def upstream(version):
    """The version of the project, of a version of Debian's package: no epoch, no revision."""
    return version.split(":", 1)[-1].rsplit("-", 1)[0]


def component(source, entry):
    packages = ", ".join(entry["packages"])
    purl = f"pkg:deb/debian/{source}@{urllib.parse.quote(entry['version'])}?arch=source&distro=debian-12"
    return {"type": "library", "bom-ref": purl, "name": source, "version": upstream(entry["version"]),
            "purl": purl, "licenses": [{"expression": entry["licence"]}],
            "properties": [{"name": "debian:version", "value": entry["version"]},
                           {"name": "debian:packages", "value": packages}]}


def bill(info, linked):
    """`info` is the build information of a release, `linked` what packaging/linked.py found."""
    reference = f"pkg:generic/ggufgate@{info['version']}?arch={info['architecture']}"
    components = [component(source, entry) for source, entry in linked.items()]
    moment = datetime.datetime.fromtimestamp(info["epoch"], datetime.timezone.utc)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "timestamp": moment.isoformat().replace("+00:00", "Z"),
            "lifecycles": [{"phase": "build"}],
            "component": {
                "type": "application", "bom-ref": reference, "name": "ggufgate",
                "version": info["version"], "purl": reference, "licenses": [{"license": {"id": "MIT"}}],
                "hashes": [{"alg": "SHA-256", "content": info["program_sha256"]}],
                "properties": [{"name": "ggufgate:commit", "value": info["commit"]}]}},
        "components": components,
        "dependencies": [{"ref": reference, "dependsOn": [one["bom-ref"] for one in components]}]}
    # The same for the same contents, so that the release can be made again.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return {"serialNumber": f"urn:uuid:{number}", **document}
