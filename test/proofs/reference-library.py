"""The reference library of OpenTimestamps, asked over standard input: one JSON request, one JSON answer.

submit   sends a digest to a calendar, and gives the file that a program would keep
upgrade  asks a calendar for what it promised in such a file, and gives the file with it
read     gives what the attestations of a file attest
verify   checks a file against the header of a block of Bitcoin or Litecoin, and gives the time of the block
"""

import json
import sys

from bitcoin.core import CBlockHeader
from opentimestamps.calendar import CommitmentNotFoundError, RemoteCalendar
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, LitecoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import OpSHA256
from opentimestamps.core.serialize import BytesDeserializationContext, BytesSerializationContext
from opentimestamps.core.timestamp import DetachedTimestampFile


def read(text):
    return DetachedTimestampFile.deserialize(BytesDeserializationContext(bytes.fromhex(text)))


def write(file):
    context = BytesSerializationContext()
    file.serialize(context)
    return context.getbytes().hex()


def describe(message, attestation):
    kind = type(attestation).__name__
    known = {name: getattr(attestation, name) for name in ("uri", "height") if hasattr(attestation, name)}
    return {"kind": kind, "tag": attestation.TAG.hex(), "message": message.hex(), **known}


def submit(request):
    digest = bytes.fromhex(request["digest"])
    timestamp = RemoteCalendar(request["calendar"]).submit(digest, timeout=30)
    return {"file": write(DetachedTimestampFile(OpSHA256(), timestamp))} if len(digest) == 32 else {
        "attested": [describe(*each) for each in timestamp.all_attestations()]}


def upgrade(request):
    file = read(request["file"])
    calendar = RemoteCalendar(request["calendar"])
    walk = [file.timestamp]
    for stamp in walk:
        walk.extend(stamp.ops.values())
        if any(isinstance(each, PendingAttestation) for each in stamp.attestations):
            try:
                stamp.merge(calendar.get_timestamp(stamp.msg, timeout=30))
            except CommitmentNotFoundError as error:
                return {"reason": error.reason}
    return {"file": write(file)}


def verify(request):
    header = CBlockHeader.deserialize(bytes.fromhex(request["header"]))
    for message, attestation in read(request["file"]).timestamp.all_attestations():
        if isinstance(attestation, (BitcoinBlockHeaderAttestation, LitecoinBlockHeaderAttestation)):
            # The library says of Litecoin's that it is identical in design, and leaves out its check for want of a reader of headers, which are the same.
            check = BitcoinBlockHeaderAttestation(attestation.height).verify_against_blockheader
            return {"time": check(message, header), "height": attestation.height}
    return {}


def describe_file(request):
    file = read(request["file"])
    attested = [describe(*each) for each in file.timestamp.all_attestations()]
    return {"digest": file.file_digest.hex(), "attested": attested, "file": write(file)}


request = json.load(sys.stdin)
commands = {"submit": submit, "upgrade": upgrade, "read": describe_file, "verify": verify}
json.dump(commands[request["command"]](request), sys.stdout)
