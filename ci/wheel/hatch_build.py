# SPDX-License-Identifier: Apache-2.0
"""What hatchling cannot know of the wheel: that it carries a program for one platform, and where its repository is."""
import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# Any Python 3, no ABI of Python; the oldest glibc that ci/scripts/check_program.py lets the program need.
TAG = "py3-none-manylinux_2_31_x86_64"


class PlatformHook(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = TAG


class AddressHook(MetadataHookInterface):
    def update(self, metadata):
        # Set by release.sh; a build of an unpublished repository has no address.
        url = os.environ.get("TORCHGATE_PROJECT_URL", "")
        metadata["urls"] = {} if not url else {
            "Homepage": url,
            "Source": url,
            "Changelog": f"{url}/blob/main/CHANGELOG.md",
            "Issues": f"{url}/issues",
        }


def get_build_hook():
    return PlatformHook


def get_metadata_hook():
    return AddressHook
