import Foundation

/// Self-signed certificates for 127.0.0.1, valid until 2126; keys that protect nothing.
enum TestCertificate {
    static let server = bytes(
        "MIIBnzCCAUWgAwIBAgIUHuA0rBLlNaqBeU7ZxpWwEN+glHQwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUG91Y2ggdGVzdHMwIBcN"
            + "MjYxMTIxMTE0MzE5WhgPMjEyNjEwMjgxMTQzMTlaMBYxFDASBgNVBAMMC1BvdWNoIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0D"
            + "AQcDQgAEG+wsGXGSToqQXOMB6jLTWsDrYHMNX482fxmsu2/FV85P5RLNUhBepEwIdH5J7Yd4d81czW30oIJZSu5bpncNaqNvMG0w"
            + "HQYDVR0OBBYEFBGjqNZj8A9SyE0KYRBQmD4IKHy0MB8GA1UdIwQYMBaAFBGjqNZj8A9SyE0KYRBQmD4IKHy0MA8GA1UdEwEB/wQF"
            + "MAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUCIFQWEn4DOH6PngNyTLy+RpdTc5G3sqtQ"
            + "8RdRa+7V16YdAiEAgTcwTlDYMPOMIlZVEZcZ16NS463oSaFd4MapWS0CpOE=")
    static let serverKey = bytes(
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggNnQjONHaYMSvXSqkYrrjuCJztp3VlzcZrRPGODa66qhRANCAAQb"
            + "7CwZcZJOipBc4wHqMtNawOtgcw1fjzZ/Gay7b8VXzk/lEs1SEF6kTAh0fknth3h3zVzNbfSggllK7lumdw1q")
    /// The server's public key, as openssl takes it out of the certificate.
    static let serverPublicKey = bytes(
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEG+wsGXGSToqQXOMB6jLTWsDrYHMNX482fxmsu2/FV85P5RLNUhBepEwIdH5J7Yd4"
            + "d81czW30oIJZSu5bpncNag==")
    static let other = bytes(
        "MIIBnzCCAUWgAwIBAgIUa422vgatGrmAhL0W9DS/fa7ZWT4wCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUG91Y2ggdGVzdHMwIBcN"
            + "MjYxMTIxMTE0MzE5WhgPMjEyNjEwMjgxMTQzMTlaMBYxFDASBgNVBAMMC1BvdWNoIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0D"
            + "AQcDQgAEWAArbb5JHfMWBZcN2h4RYG4hE+7OB+lxuaFm6FHo8IymMPqnW2b3QbuOTRVGs0Wz/D1J/Khanr3vDnIMLnPMT6NvMG0w"
            + "HQYDVR0OBBYEFGK1QdVyMpPZV+abVv0zewNHSRayMB8GA1UdIwQYMBaAFGK1QdVyMpPZV+abVv0zewNHSRayMA8GA1UdEwEB/wQF"
            + "MAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUCIGaKoyoearj2bU7NIUqzeoCTFDigtwjK"
            + "bNbBSLWVikCOAiEAwWhzfpzWCEvGvudN055cxR+Et9damMbLZbpVLKcGmpk=")

    private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
