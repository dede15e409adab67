import Hummingbird
import Logging

/// The router with all that the service can do.
enum SandboxRouter {
    static func build(
        ledger: SandboxLedger, key: String?, timing: SandboxTiming
    ) -> Router<SandboxRequestContext> {
        let router = Router(context: SandboxRequestContext.self)
        router.add(middleware: LogRequestsMiddleware(.debug))
        router.add(middleware: SandboxProblemMiddleware())
        if let key { router.add(middleware: BearerKeyMiddleware(key: key)) }
        router.add(middleware: LedgerMiddleware(ledgerId: ledger.id))
        let routes = router.group("v1")
        routes.get("ledger") { _, _ in try Response(json: LedgerHead(id: ledger.id)) }
        ChargeRoutes(ledger: ledger, timing: timing).register(with: routes)
        RefundRoutes(ledger: ledger).register(with: routes)
        return router
    }
}
