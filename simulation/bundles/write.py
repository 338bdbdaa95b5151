"""An experiment as a bundle: every file, then what is said about files, then their checksums."""

from __future__ import annotations

from simulation.bundles.archive import pack
from simulation.bundles.checksums import checksum_list
from simulation.bundles.crate import crate_file
from simulation.bundles.describe import describe
from simulation.bundles.description import description_file
from simulation.bundles.environment import environment_files
from simulation.bundles.experiment import Experiment, Publication
from simulation.bundles.inputs import input_files
from simulation.bundles.layout import CHECKSUMS, CRATE, PACKAGE, PREVIEW, README, RUN, TABLES
from simulation.bundles.outputs import output_files
from simulation.bundles.prose import preview, readme
from simulation.bundles.sources import sources_file
from simulation.bundles.tables import package
from simulation.scenario import canonical_bytes


def write_bundle(experiment: Experiment, publication: Publication) -> bytes:
    """The zip; equal arguments on one installation give equal bytes. BundleError where it would be too large."""
    return pack(bundle_files(experiment, publication))


def bundle_files(experiment: Experiment, publication: Publication) -> dict[str, bytes]:
    """The files of the bundle by name."""
    description = describe(experiment)
    files = {
        **input_files(experiment),
        **output_files(experiment),
        **environment_files(),
        "evidence/sources.csv": sources_file(experiment),
        RUN: description_file(description),
    }
    files[PACKAGE] = canonical_bytes(package(name for name in files if name in TABLES)) + b"\n"
    told = [*files, README, PREVIEW]
    files[README] = readme(told, description, publication)
    files[PREVIEW] = preview(told, description, publication)
    files[CRATE] = crate_file(files, description, publication)
    files[CHECKSUMS] = checksum_list(files)
    return files
