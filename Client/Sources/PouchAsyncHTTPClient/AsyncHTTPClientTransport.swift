#if AsyncHTTPClient
    import AsyncHTTPClient
    import PouchNetwork
#endif
