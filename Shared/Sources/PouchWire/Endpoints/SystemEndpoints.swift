extension Endpoint {
    public static let healthLive = Endpoint("healthLive", .get, "/health/live", .anyone)
    public static let healthReady = Endpoint("healthReady", .get, "/health/ready", .anyone)
    public static let openAPI = Endpoint("openAPI", .get, "/openapi.json", .anyone)
    public static let asset = Endpoint("asset", .get, "/assets/{path...}", .anyone)

    static let system = [healthLive, healthReady, openAPI, asset]
}
