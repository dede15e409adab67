import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

@testable import PouchServer

/// The application of the server, on request without its jobs.
struct TestedApplication<Base: ApplicationProtocol>: ApplicationProtocol {
    let base: Base
    let runsJobs: Bool

    var services: [any Service] { runsJobs ? base.services : base.services.filter { !($0 is JobRunner) } }

    var responder: Base.Responder { get async throws { try await base.responder } }
    var server: HTTPServerBuilder { base.server }
    var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
    var configuration: ApplicationConfiguration { base.configuration }
    var logger: Logger { base.logger }
    var processesRunBeforeServerStart: [@Sendable () async throws -> Void] { base.processesRunBeforeServerStart }

    @Sendable func onServerRunning(_ channel: any Channel) async { await base.onServerRunning(channel) }
}
