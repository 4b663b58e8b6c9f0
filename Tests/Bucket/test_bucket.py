"""A server whose changes go to a bucket, and what a restore makes of it. The bucket is moto's, over a real socket; it
takes only requests whose signatures are right."""
import datetime, json, logging, os, shutil, sys, tempfile, unittest, urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{ROOT}/scripts/shared.d")
HEARTH = os.path.abspath(os.environ["BINARY_UNDER_TEST"])
# Before moto is imported: after the first few requests, which set that up, signatures and policies are checked.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.server import ThreadedMotoServer
from servers import FORCE, Client, Node, ask, make_hearth, run_hearth, until

logging.getLogger("werkzeug").setLevel(logging.ERROR)
PAGE = {"title": "bucket", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30}


class BucketTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hearth-bucket-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
        self.moto.start()
        self.addCleanup(self.moto.stop)
        host, port = self.moto.get_host_and_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(urllib.request.Request(self.endpoint + "/moto-api/reset", method="POST"))
        urllib.request.urlopen(urllib.request.Request(
            self.endpoint + "/moto-api/reset-auth", data=b"4", headers={"Content-Type": "text/plain"}, method="POST"))
        first = dict(endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id="first",
                     aws_secret_access_key="first")
        iam = boto3.client("iam", **first)
        iam.create_user(UserName="hearth")
        key = iam.create_access_key(UserName="hearth")["AccessKey"]
        iam.put_user_policy(UserName="hearth", PolicyName="all", PolicyDocument=json.dumps(
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}))
        self.s3 = boto3.client("s3", **(first | {
            "aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}))
        boto3.client("s3", **first).create_bucket(Bucket="homes")
        self.write_keys(key["AccessKeyId"], key["SecretAccessKey"])
        self.key = key
        self.data = f"{self.folder}/data"
        self.database = f"{self.data}/hearth.db"
        os.makedirs(self.data)
        self.environment = {
            "HEARTH_BACKUP_TO": "s3://homes/one/box", "HEARTH_BACKUP_ENDPOINT": self.endpoint,
            "HEARTH_BACKUP_CREDENTIALS_FILE": f"{self.folder}/keys"}

    def write_keys(self, access, secret):
        with open(f"{self.folder}/keys", "w") as file:
            file.write(f"[default]\naws_access_key_id = {access}\naws_secret_access_key = {secret}\n")

    def start(self):
        node = Node(HEARTH, self.database, self.data, environment=self.environment).start()
        self.addCleanup(lambda: node.process.poll() is None and node.kill())
        return node

    def backup(self, node):
        return ask(node.addresses["admin"], "GET", "/status")[2]["backup"]

    def settle(self, node):
        """Waits until the bucket has what was committed before."""
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        until(60, "the bucket has everything", lambda: self.backup(node).get("completeTo", "") > now)
        return self.backup(node)

    def keys(self):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="homes")
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def test_what_was_sent_is_restored(self):
        token = make_hearth(HEARTH, self.database, self.data, "bucket")
        node = self.start()
        client = Client(node.addresses["admin"], token)
        self.settle(node)
        client.must("PUT", "/pages/bucket", PAGE, {"If-None-Match": "*"})
        client.must("PUT", "/pages/bucket/sections/s", {"kind": "middleNav"}, FORCE)
        client.must("POST", "/pages/bucket/publish", {}, FORCE)
        series = self.settle(node)["series"]
        records = {"one/box/latest/tokens", "one/box/latest/served"}
        until(60, "the records have left", lambda: records <= set(self.keys()))
        node.kill()
        # The next process goes on.
        node = self.start()
        self.assertEqual(self.settle(node)["series"], series)
        self.assertEqual(node.end(), 0)
        # So it does after an end as it should be.
        node = self.start()
        self.assertEqual(self.settle(node)["series"], series)
        self.assertEqual(node.end(), 0)
        self.assertIn(f"one/box/series/{series}/0000000000.step", self.keys())
        shutil.rmtree(self.data)
        listed = run_hearth(HEARTH, self.database, self.data, "restore", "--list", environment=self.environment)
        self.assertIn(series, listed)
        said = run_hearth(HEARTH, self.database, self.data, "restore", environment=self.environment)
        self.assertIn("whole: yes", said)
        self.assertIn("page: bucket, served 1.1, database 1.1", said)
        run_hearth(HEARTH, self.database, self.data, "generation", "raise", "--reason", "the disk")
        node = self.start()
        self.assertEqual(ask(node.addresses["public"], "GET", "/v1/pages/bucket")[0], 200)

    def test_wrong_keys_and_a_bucket_that_is_not_there_are_told_and_mended(self):
        make_hearth(HEARTH, self.database, self.data, "bucket")
        self.write_keys(self.key["AccessKeyId"], "wrong")
        node = self.start()
        until(60, "it is told", lambda: "SignatureDoesNotMatch" in self.backup(node).get("failure", ""))
        self.assertEqual(ask(node.addresses["admin"], "GET", "/status")[2]["status"], "degraded")
        self.write_keys(self.key["AccessKeyId"], self.key["SecretAccessKey"])
        self.assertNotIn("failure", self.settle(node))
        self.assertEqual(node.end(), 0)
        self.environment["HEARTH_BACKUP_TO"] = "s3://other"
        node = self.start()
        until(60, "it is told", lambda: "NoSuchBucket" in self.backup(node).get("failure", ""))
        self.s3.create_bucket(Bucket="other")
        self.assertNotIn("failure", self.settle(node))

    def test_a_list_that_comes_in_parts_is_whole(self):
        make_hearth(HEARTH, self.database, self.data, "bucket")
        node = self.start()
        series = self.settle(node)["series"]
        self.assertEqual(node.end(), 0)
        # More than a list has at once, of a series that was never complete.
        for number in range(1_100):
            key = f"one/box/series/2020-01-01T000000Z-aaaaaaaa/{number:010}.part"
            self.s3.put_object(Bucket="homes", Key=key, Body=b"")
        shutil.rmtree(self.data)
        listed = run_hearth(HEARTH, self.database, self.data, "restore", "--list", environment=self.environment)
        self.assertIn("2020-01-01T000000Z-aaaaaaaa  not complete  1100 pieces", listed)
        self.assertIn(series, listed)


if __name__ == "__main__":
    unittest.main(verbosity=1)
