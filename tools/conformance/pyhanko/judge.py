"""Validates every PDF of a folder with pyHanko, offline, as of a moment, with one trusted certificate. Prints JSON.

    python judge.py FOLDER ROOT_CERTIFICATE TIME [FUTURE]

FUTURE asks besides whether the file holds all that is needed to believe it then, given that its timestamps are renewed.
"""

import asyncio
import json
import logging
import signal
import sys
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from asn1crypto.x509 import Certificate
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import SuspiciousModification
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.ades import ades_lta_validation, simulate_future_ades_lta_validation
from pyhanko.sign.validation.policy_decl import (
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, REQUIRE_REVINFO
from pyhanko_certvalidator.registry import SimpleTrustManager


SECONDS_PER_FILE = 60


@contextmanager
def time_limit():
    """Comparing the revisions of a large form can take hours; the other files are waiting."""

    def give_up(_signal, _frame):
        raise TimeoutError(f"no answer within {SECONDS_PER_FILE} seconds")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS_PER_FILE)
    try:
        yield
    finally:
        signal.alarm(0)


class Judge:
    def __init__(self, root: Certificate, time: datetime, future: datetime | None):
        self.root, self.time, self.future = root, time, future

    def judge(self, path: Path) -> dict:
        try:
            with path.open("rb") as stream, time_limit():
                return asyncio.run(self.judge_file(PdfFileReader(stream)))
        except Exception as error:  # The answer about a file that pyHanko cannot read is what it says about it.
            return {"error": f"{type(error).__name__}: {error}"}

    async def judge_file(self, reader: PdfFileReader) -> dict:
        signatures = [await self.judge_signature(signature) for signature in reader.embedded_regular_signatures]
        timestamps = [await self.judge_timestamp(timestamp) for timestamp in reader.embedded_timestamp_signatures]
        return {"signatures": signatures, "timestamps": timestamps}

    async def judge_signature(self, signature) -> dict:
        status = await async_validate_pdf_signature(signature, self.context(), ts_validation_context=self.context())
        timing = ValidationTimingInfo(self.time, self.time, point_in_time_validation=True)
        archived = await ades_lta_validation(signature, self.specification(), timing_info=timing)
        stamp = status.timestamp_validity
        answer = {
            **describe(status),
            "field": signature.field_name,
            "isSeedValueOk": status.seed_value_ok,
            "isAccepted": status.bottom_line,
            "timestamp": None if stamp is None else describe_trust(stamp),
            "ades": indication(archived),
        }
        if self.future is not None:
            later = await simulate_future_ades_lta_validation(
                signature, self.specification(), self.future, current_reference_time=self.time
            )
            answer["adesInFuture"] = indication(later)
        return answer

    async def judge_timestamp(self, timestamp) -> dict:
        status = await async_validate_pdf_timestamp(timestamp, self.context())
        return {"field": timestamp.field_name, **describe(status)}

    def context(self) -> ValidationContext:
        return ValidationContext(
            trust_roots=[self.root], allow_fetching=False, moment=self.time, revocation_mode="soft-fail"
        )

    def specification(self) -> PdfSignatureValidationSpec:
        policy = CertValidationPolicySpec(
            trust_manager=SimpleTrustManager.build(trust_roots=[self.root]),
            revinfo_policy=CertRevTrustPolicy(REQUIRE_REVINFO),
        )
        offline = RevocationInfoGatheringSpec(RevinfoOnlineFetchingRule.LOCAL_ONLY)
        return PdfSignatureValidationSpec(SignatureValidationSpec(policy, offline))


def describe(status) -> dict:
    level = status.modification_level
    return {
        **describe_trust(status),
        "coverage": status.coverage.name,
        "modification": None if level is None else level.name,
        "doubt": str(status.diff_result) if isinstance(status.diff_result, SuspiciousModification) else None,
    }


def describe_trust(status) -> dict:
    return {"isIntact": status.intact, "isValid": status.valid, "isTrusted": status.trusted}


def indication(result) -> str:
    return f"{type(result.ades_subindic).__name__}.{result.ades_subindic.name}"


def main(folder: str, root: str, time: str, future: str | None = None) -> None:
    logging.disable(logging.CRITICAL)
    judge = Judge(
        load_cert_from_pemder(root), datetime.fromisoformat(time), datetime.fromisoformat(future) if future else None
    )
    files = {path.name: judge.judge(path) for path in sorted(Path(folder).glob("*.pdf"))}
    print(json.dumps({"tool": "pyHanko", "version": version("pyHanko"), "files": files}))


if __name__ == "__main__":
    main(*sys.argv[1:])
