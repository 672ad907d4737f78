// The endpoints of Headwater and what they take and answer. Made by client/generate.ts from /openapi.json: after a change
// of an endpoint run `node --import tsx client/generate.ts`.

export interface paths {
    "/api/v2/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All tokens, highest score first
         * @description Every token that a pool or a market trades, and the system token. `system_price` and `usd_price` are 0 for tokens without a price and on the scam lists; `safe_usd_price` is meant for valuing balances.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Leave out tokens on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<symbol>-<contract>`, lower case. */
                            id: string;
                            /** @description Token contract. */
                            contract: string;
                            /** @description Token symbol. */
                            symbol: string;
                            /** @description Precision. */
                            decimals: number;
                            /** @description Price in the chain’s system token; 0 without one. */
                            system_price: number;
                            /** @description Price in USD; 0 without one. */
                            usd_price: number;
                            /** @description 0 to 100. */
                            score: number;
                            /** @description On the scam lists: its prices are 0. */
                            is_scam: boolean;
                            /** @description The system token, a stablecoin, on the trusted list, or of a high score. */
                            is_trusted: boolean;
                            /** @description system_price when trusted, else 0. */
                            safe_system_price: number;
                            /** @description usd_price when trusted, else 0. */
                            safe_usd_price: number;
                            /** @description Aggregator id, for tokens that the aggregator lists. */
                            cmc_id?: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One token: price, score and trust
         * @description A token id is `<symbol>-<contract>`, in any case.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<symbol>-<contract>`, lower case. */
                            id: string;
                            /** @description Token contract. */
                            contract: string;
                            /** @description Token symbol. */
                            symbol: string;
                            /** @description Precision. */
                            decimals: number;
                            /** @description Price in the chain’s system token; 0 without one. */
                            system_price: number;
                            /** @description Price in USD; 0 without one. */
                            usd_price: number;
                            /** @description 0 to 100. */
                            score: number;
                            /** @description On the scam lists: its prices are 0. */
                            is_scam: boolean;
                            /** @description The system token, a stablecoin, on the trusted list, or of a high score. */
                            is_trusted: boolean;
                            /** @description system_price when trusted, else 0. */
                            safe_system_price: number;
                            /** @description usd_price when trusted, else 0. */
                            safe_usd_price: number;
                            /** @description Aggregator id, for tokens that the aggregator lists. */
                            cmc_id?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tokens/{tokenId}/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The score of a token
         * @description How the score of 0 to 100 came about. A token without a score answers `{"score": 0}`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Total, 0 to 100. The only member of a token without a score. */
                            score: number;
                            /** @description Version of the model. */
                            version?: string;
                            /** @description Window that is looked at. */
                            window?: string;
                            /** @description Points. What is unknown has 0, and does not count. */
                            components?: {
                                /** @description Of 25, for unique traders. */
                                traders: number;
                                /** @description Of 20, for volume over TVL. */
                                volume: number;
                                /** @description Of 15, for TVL. */
                                liquidity: number;
                                /** @description Of 10, for accounts with a balance. */
                                holders: number;
                                /** @description Of 10, for trades a day. */
                                activity: number;
                                /** @description Of 10, for the price over its highest. */
                                stability: number;
                                /** @description Of 10, for days since the token was first seen. */
                                age: number;
                            };
                            /** @description Caps whose condition holds. */
                            capsApplied?: string[];
                            /** @description What the points are for. */
                            metrics?: {
                                /** @description Accounts that traded the token in 30 days. */
                                uniqueTraders: number;
                                /** @description USD traded in 30 days, at most a billion. */
                                volumeUsd: number;
                                /** @description USD of the token that the exchange holds. */
                                tvlUsd: number;
                                /** @description Volume over TVL. */
                                turnover: number;
                                /** @description Accounts with a balance. Null when unknown. */
                                holdersCount: number | null;
                                /** @description Swaps and deals in 30 days. */
                                tradesCount: number;
                                /** @description The same for a day. */
                                avgDailyTrades: number;
                                /** @description In the other token of the pool `stabilityPoolId`. Null when unknown. */
                                currentPrice: number | null;
                                /** @description Highest price of 30 days, in the same. Null when unknown. */
                                rollingHigh30d: number | null;
                                /** @description Current price over highest price. Null when unknown. */
                                drawdown30d: number | null;
                                /** @description Pool whose prices stand for the token. Null when unknown. */
                                stabilityPoolId: number | null;
                                /** @description Whole days since the token was first seen. Null when unknown. */
                                ageDays: number | null;
                            };
                            /** @description Accounts with a balance. Null when unknown. */
                            holders?: number | null;
                            /** @description USD traded in 7 days. */
                            volumeUsd7d?: number;
                            /** @description Swaps and deals in 7 days. */
                            trades7d?: number;
                            /** @description Accounts that traded in 7 days. */
                            uniqueTraders7d?: number;
                            /** @description Accounts that traded in 24 hours. */
                            uniqueTraders24h?: number;
                            /** @description The same for the 24 hours before. */
                            uniqueTradersPrev24h?: number;
                            /** @description The same for the 7 days before. */
                            uniqueTradersPrev7d?: number;
                            /** @description Traders of 24 hours over those of the 24 hours before, or over 1. */
                            uniqueTraderGrowth24h?: number;
                            /** @description The same of 7 days. */
                            uniqueTraderGrowth7d?: number;
                            /** @description Percent in 7 days, in the pool that represents the token. Null when unknown. */
                            priceChange7dPct?: number | null;
                            /** @description Percent in 30 days. Null when unknown. */
                            priceChange30dPct?: number | null;
                            /** @description Percent in 90 days. Null when unknown. */
                            priceChange90dPct?: number | null;
                            /** @description Whole days since the token was first seen. Null when unknown. */
                            ageDays?: number | null;
                            /** @description ISO 8601; null when it was before the indexed history. */
                            firstSeenAt?: string | null;
                            /** @description Time of the block that the score is of, ISO 8601. */
                            updatedAt?: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tokens/{tokenId}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The logo of a token: an image, or where it is
         * @description Looked for in the on-chain token registry, then in the exchange’s own logos, then in public token lists. Clients must follow redirects: 302 leads to the image.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/*": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swap/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All pools, or those of a pair
         * @description Inactive pools too. With both tokens: the pools of the pair, in either order.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Token id: only pools that trade it. */
                    tokenA?: string;
                    /** @description Token id: with `tokenA`, the pair in either order. */
                    tokenB?: string;
                    /** @description Leave out pools of tokens on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Pool id. */
                            id: number;
                            /** @description Chain name. */
                            chain: string;
                            /** @description Whether it can be traded. */
                            active: boolean;
                            /** @description Swap fee in hundredths of a basis point: 3000 is 0.3%. */
                            fee: number;
                            /** @description Protocol fee setting. */
                            feeProtocol: number;
                            /** @description Tick spacing. */
                            tickSpacing: number;
                            tokenA: {
                                /** @description Token id. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Token symbol. */
                                symbol: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Tokens that the pool holds. */
                                quantity: number;
                            };
                            tokenB: {
                                /** @description Token id. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Token symbol. */
                                symbol: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Tokens that the pool holds. */
                                quantity: number;
                            };
                            /** @description Current square-root price, Q64.64. */
                            sqrtPriceX64: string;
                            /** @description Current tick. */
                            tick: number;
                            /** @description Liquidity in range. */
                            liquidity: string;
                            /** @description Maximum liquidity of one tick. */
                            maxLiquidityPerTick: string;
                            /** @description Fees in A per unit of liquidity, Q64.64. */
                            feeGrowthGlobalAX64: string;
                            /** @description Fees in B per unit of liquidity, Q64.64. */
                            feeGrowthGlobalBX64: string;
                            /** @description Protocol fees in A that are not yet collected. */
                            protocolFeeA: number;
                            /** @description Protocol fees in B that are not yet collected. */
                            protocolFeeB: number;
                            /** @description Price of A in B. */
                            priceA: number;
                            /** @description Price of B in A. */
                            priceB: number;
                            /** @description What it holds, USD. */
                            tvlUSD: number;
                            /** @description Tokens A traded in 24 hours. */
                            volumeA24: number;
                            /** @description Tokens B traded in 24 hours. */
                            volumeB24: number;
                            /** @description USD traded in 24 hours. */
                            volumeUSD24: number;
                            /** @description Tokens A traded in 7 days. */
                            volumeAWeek: number;
                            /** @description Tokens B traded in 7 days. */
                            volumeBWeek: number;
                            /** @description USD traded in 7 days. */
                            volumeUSDWeek: number;
                            /** @description Tokens A traded in 30 days. */
                            volumeAMonth: number;
                            /** @description Tokens B traded in 30 days. */
                            volumeBMonth: number;
                            /** @description USD traded in 30 days. */
                            volumeUSDMonth: number;
                            /** @description Tokens A traded in 90 days. */
                            volumeA90: number;
                            /** @description Tokens B traded in 90 days. */
                            volumeB90: number;
                            /** @description USD traded in 90 days. */
                            volumeUSD90: number;
                            /** @description Change of the price in 24 hours, percent. */
                            change24: number;
                            /** @description Change of the price in 7 days, percent. */
                            changeWeek: number;
                            /** @description Highest price of A in B in 24 hours; the current one without a trade. */
                            high24: number;
                            /** @description Lowest price of A in B in 24 hours; the current one without a trade. */
                            low24: number;
                            /** @description Creation time, ISO 8601; of a pool that is older than the indexed history, the start of that. */
                            firstSeenAt: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swap/pools/{poolId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One pool: state, price, value and volumes; null for an unknown id */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Pool id. */
                            id: number;
                            /** @description Chain name. */
                            chain: string;
                            /** @description Whether it can be traded. */
                            active: boolean;
                            /** @description Swap fee in hundredths of a basis point: 3000 is 0.3%. */
                            fee: number;
                            /** @description Protocol fee setting. */
                            feeProtocol: number;
                            /** @description Tick spacing. */
                            tickSpacing: number;
                            tokenA: {
                                /** @description Token id. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Token symbol. */
                                symbol: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Tokens that the pool holds. */
                                quantity: number;
                            };
                            tokenB: {
                                /** @description Token id. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Token symbol. */
                                symbol: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Tokens that the pool holds. */
                                quantity: number;
                            };
                            /** @description Current square-root price, Q64.64. */
                            sqrtPriceX64: string;
                            /** @description Current tick. */
                            tick: number;
                            /** @description Liquidity in range. */
                            liquidity: string;
                            /** @description Maximum liquidity of one tick. */
                            maxLiquidityPerTick: string;
                            /** @description Fees in A per unit of liquidity, Q64.64. */
                            feeGrowthGlobalAX64: string;
                            /** @description Fees in B per unit of liquidity, Q64.64. */
                            feeGrowthGlobalBX64: string;
                            /** @description Protocol fees in A that are not yet collected. */
                            protocolFeeA: number;
                            /** @description Protocol fees in B that are not yet collected. */
                            protocolFeeB: number;
                            /** @description Price of A in B. */
                            priceA: number;
                            /** @description Price of B in A. */
                            priceB: number;
                            /** @description What it holds, USD. */
                            tvlUSD: number;
                            /** @description Tokens A traded in 24 hours. */
                            volumeA24: number;
                            /** @description Tokens B traded in 24 hours. */
                            volumeB24: number;
                            /** @description USD traded in 24 hours. */
                            volumeUSD24: number;
                            /** @description Tokens A traded in 7 days. */
                            volumeAWeek: number;
                            /** @description Tokens B traded in 7 days. */
                            volumeBWeek: number;
                            /** @description USD traded in 7 days. */
                            volumeUSDWeek: number;
                            /** @description Tokens A traded in 30 days. */
                            volumeAMonth: number;
                            /** @description Tokens B traded in 30 days. */
                            volumeBMonth: number;
                            /** @description USD traded in 30 days. */
                            volumeUSDMonth: number;
                            /** @description Tokens A traded in 90 days. */
                            volumeA90: number;
                            /** @description Tokens B traded in 90 days. */
                            volumeB90: number;
                            /** @description USD traded in 90 days. */
                            volumeUSD90: number;
                            /** @description Change of the price in 24 hours, percent. */
                            change24: number;
                            /** @description Change of the price in 7 days, percent. */
                            changeWeek: number;
                            /** @description Highest price of A in B in 24 hours; the current one without a trade. */
                            high24: number;
                            /** @description Lowest price of A in B in 24 hours; the current one without a trade. */
                            low24: number;
                            /** @description Creation time, ISO 8601; of a pool that is older than the indexed history, the start of that. */
                            firstSeenAt: string;
                        } | null;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swap/pools/{poolId}/swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps of a pool, newest first
         * @description Amounts are from the pool’s side: what is positive entered it. A full page has a `Link` header to the next one, which neither repeats nor loses a swap.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Unix milliseconds, inclusive. */
                    from?: number;
                    /** @description Unix milliseconds, inclusive. */
                    to?: number;
                    /** @description Only swaps that this account paid for. */
                    sender?: string;
                    /** @description Only swaps whose output this account received. */
                    recipient?: string;
                    /** @description Maximum number of rows. Default 200, maximum 10000. */
                    limit?: number;
                    /** @description Rows to leave out. */
                    skip?: number;
                    /** @description Goes on where a page ended: from the `Link` header of that page. Neither loses nor repeats a row while blocks arrive. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the action. */
                            _id: string;
                            /** @description Transaction. */
                            trx_id: string;
                            /** @description ISO 8601. */
                            time: string;
                            /** @description Pool. */
                            pool: number;
                            /** @description Account that paid. */
                            sender: string;
                            /** @description Account that received. */
                            recipient: string;
                            /** @description Square-root price after the swap, Q64.64. */
                            sqrtPriceX64: string;
                            /** @description Value in USD at that time; 0 when unknown. */
                            totalUSDVolume: number;
                            /** @description Tokens A: positive entered the pool, negative left it. */
                            tokenA: number;
                            /** @description Tokens B: positive entered the pool, negative left it. */
                            tokenB: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swap/pools/{poolId}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open positions of a pool
         * @description Amounts and fees are what the contract would pay at the block of the answer.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Position id. */
                            id: number;
                            /** @description Owner. */
                            owner: string;
                            /** @description Pool id. */
                            pool: number;
                            /** @description Lower tick of the range. */
                            tickLower: number;
                            /** @description Upper tick of the range. */
                            tickUpper: number;
                            /** @description Liquidity. */
                            liquidity: string;
                            /** @description Fee growth in A inside the range at the last update, Q64.64. */
                            feeGrowthInsideALastX64: string;
                            /** @description Fee growth in B inside the range at the last update, Q64.64. */
                            feeGrowthInsideBLastX64: string;
                            /** @description Whether the current price is inside the range. */
                            inRange: boolean;
                            /** @description Tokens A now, asset string. */
                            amountA: string;
                            /** @description Tokens B now, asset string. */
                            amountB: string;
                            /** @description Fees in A that are not yet collected, asset string. */
                            feesA: string;
                            /** @description Fees in B that are not yet collected, asset string. */
                            feesB: string;
                            /** @description Tokens and fees that are not yet collected, USD. */
                            totalValue: number;
                            /** @description Fees that are not yet collected, USD. */
                            totalFeesUSD: number;
                            /** @description Deposits less withdrawals, USD, each valued when it was made. */
                            depositedUSDTotal: number;
                            collectedFees: {
                                /** @description Fees in A collected so far. */
                                tokenA: number;
                                /** @description Fees in B collected so far. */
                                tokenB: number;
                                /** @description The same in USD, valued when collected. */
                                inUSD: number;
                                /** @description ISO 8601; null when never collected. */
                                lastCollectTime: string | null;
                            };
                            /** @description Fees earned, collected and not, USD. */
                            pNl: number;
                            /** @description All liquidity withdrawn. */
                            closed: boolean;
                            /** @description Unix seconds, or null. */
                            lockedUntil: number | null;
                            /** @description Locked now: cannot be withdrawn. */
                            isLocked: boolean;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swap/pools/{poolId}/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Candles of a pool, oldest first
         * @description Periods without a trade are flat candles at the last price. At most 5,000 candles; with more in the range, the newest.
         */
        get: {
            parameters: {
                query: {
                    /** @description Minutes, 1D, 1W (from Monday) or 1M (calendar month), UTC. */
                    resolution: "1" | "5" | "15" | "30" | "60" | "240" | "1D" | "1W" | "1M";
                    /** @description Unix milliseconds; needs `to`. The first candle is the one that contains it. */
                    from?: number;
                    /** @description Unix milliseconds. The last candle is the one that contains it. Default: the block’s time. */
                    to?: number;
                    /** @description Maximum number of candles; the newest are returned. Default and maximum 5000. */
                    limit?: number;
                    /** @description True: prices of B in A. Default: of A in B. */
                    reverse?: boolean;
                    /** @description Unit of the volume. Default `volumeUSD`. For a pair, A is the token given as `tokenA`. */
                    volumeField?: "volumeUSD" | "volumeA" | "volumeB";
                };
                header?: never;
                path: {
                    /** @description Pool. */
                    poolId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Start of the candle, Unix milliseconds. */
                            time: number;
                            /** @description Price, 16 significant digits. */
                            open: string;
                            /** @description Price, 16 significant digits. */
                            high: string;
                            /** @description Price, 16 significant digits. */
                            low: string;
                            /** @description Price, 16 significant digits. */
                            close: string;
                            /** @description Volume in the unit asked for. */
                            volume: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swap/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Candles of a pair, from its deepest pool
         * @description From the active pool of the pair with the highest TVL, in the order of the tokens as asked. Periods without a trade are flat candles at the last price. At most 5,000 candles; with more in the range, the newest.
         */
        get: {
            parameters: {
                query: {
                    /** @description Token id. */
                    tokenA: string;
                    /** @description Token id. */
                    tokenB: string;
                    /** @description Minutes, 1D, 1W (from Monday) or 1M (calendar month), UTC. */
                    resolution: "1" | "5" | "15" | "30" | "60" | "240" | "1D" | "1W" | "1M";
                    /** @description Unix milliseconds; needs `to`. The first candle is the one that contains it. */
                    from?: number;
                    /** @description Unix milliseconds. The last candle is the one that contains it. Default: the block’s time. */
                    to?: number;
                    /** @description Maximum number of candles; the newest are returned. Default and maximum 5000. */
                    limit?: number;
                    /** @description True: prices of B in A. Default: of A in B. */
                    reverse?: boolean;
                    /** @description Unit of the volume. Default `volumeUSD`. For a pair, A is the token given as `tokenA`. */
                    volumeField?: "volumeUSD" | "volumeA" | "volumeB";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            candles: {
                                /** @description Start of the candle, Unix milliseconds. */
                                time: number;
                                /** @description Price, 16 significant digits. */
                                open: string;
                                /** @description Price, 16 significant digits. */
                                high: string;
                                /** @description Price, 16 significant digits. */
                                low: string;
                                /** @description Price, 16 significant digits. */
                                close: string;
                                /** @description Volume in the unit asked for. */
                                volume: number;
                            }[];
                            /** @description The most valuable active pool of the pair. */
                            poolId: number;
                            /** @description Whether the pool has the tokens in the other order. */
                            isReversed: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/swaps/newest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Newest swaps of all pools
         * @description Up to the head block: a fork may take them back.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. Default 20, maximum 100. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the swap. */
                            id: string;
                            /** @description Time of its block, ISO 8601. */
                            time: string;
                            /** @description Block. */
                            block: number;
                            /** @description Transaction. */
                            trx: string;
                            /** @description Pool id. */
                            pool: number;
                            /** @description Account that paid. */
                            sender: string;
                            /** @description Tokens A, positive when they entered the pool. */
                            tokenA: number;
                            /** @description Tokens B, positive when they entered the pool. */
                            tokenB: number;
                            /** @description Symbol of A. */
                            symbolA: string;
                            /** @description Symbol of B. */
                            symbolB: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Order-book markets */
        get: {
            parameters: {
                query?: {
                    /** @description Only markets of this base token. */
                    base?: string;
                    /** @description Only markets of this target token. */
                    target?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            base: {
                                /** @description `symbol-contract`. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Decimals. */
                                precision: number;
                            };
                            target: {
                                /** @description `symbol-contract`. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Decimals. */
                                precision: number;
                            };
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Order-book markets with prices and volumes
         * @description Prices are target per one base. Volumes of 24 hours hold the AMM pools of the same pair too.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Leave out markets of tokens on the scam lists. */
                    hide_scam?: boolean;
                    /** @description Only these: ticker ids, separated by commas. An earlier form. */
                    tickers?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            /** @description Market on the DEX contract. */
                            market_id: number;
                            /** @description Market or pool. */
                            pool_id: string;
                            /** @description Token id. */
                            base_currency: string;
                            /** @description Token id. */
                            target_currency: string;
                            /** @description Aggregator id; null when it does not list the token. */
                            base_cmc_ucid: number | null;
                            /** @description Aggregator id; null when it does not list the token. */
                            target_cmc_ucid: number | null;
                            /** @description `BASE-TARGET` when both are listed. */
                            global_ticker_id: string | null;
                            /** @description Last trade: target per base. */
                            last_price: number;
                            /** @description Change in 24 hours, percent. */
                            change24: number;
                            /** @description Highest trade of 24 hours; the last price when there was none. */
                            high24: number;
                            /** @description Lowest trade of 24 hours; the last price when there was none. */
                            low24: number;
                            /** @description The same; null for a market that has not traded. */
                            high: number | null;
                            /** @description The same; null for a market that has not traded. */
                            low: number | null;
                            /** @description Best buy order; 0 without one. */
                            bid: number;
                            /** @description Best sell order; 0 without one. */
                            ask: number;
                            /** @description Base tokens in 24 hours, AMM pools of the pair included. */
                            base_volume: number;
                            /** @description Target tokens in 24 hours, AMM pools of the pair included. */
                            target_volume: number;
                            /** @description USD in 24 hours, AMM pools of the pair included. */
                            volumeUSD24: number;
                            /** @description Target tokens in 90 days, without AMM pools. */
                            volume90d: number;
                            /** @description Base tokens that AMM pools of the pair hold. */
                            base_amm_liquidity: number;
                            /** @description Target tokens that AMM pools of the pair hold. */
                            target_amm_liquidity: number;
                            /** @description Smallest buy order, target tokens. */
                            min_buy: number;
                            /** @description Smallest sell order, base tokens. */
                            min_sell: number;
                            /** @description Whether trading is frozen. */
                            frozen: boolean;
                            /** @description Hundredths of a percent. */
                            fee: number;
                            /** @description Page of the market. */
                            trade_url: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tickers/{tickerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One order-book market with prices and volumes
         * @description A ticker id is `<base token id>_<target token id>`, in any case.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `<base token id>_<target token id>`. */
                    tickerId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            /** @description Market on the DEX contract. */
                            market_id: number;
                            /** @description Market or pool. */
                            pool_id: string;
                            /** @description Token id. */
                            base_currency: string;
                            /** @description Token id. */
                            target_currency: string;
                            /** @description Aggregator id; null when it does not list the token. */
                            base_cmc_ucid: number | null;
                            /** @description Aggregator id; null when it does not list the token. */
                            target_cmc_ucid: number | null;
                            /** @description `BASE-TARGET` when both are listed. */
                            global_ticker_id: string | null;
                            /** @description Last trade: target per base. */
                            last_price: number;
                            /** @description Change in 24 hours, percent. */
                            change24: number;
                            /** @description Highest trade of 24 hours; the last price when there was none. */
                            high24: number;
                            /** @description Lowest trade of 24 hours; the last price when there was none. */
                            low24: number;
                            /** @description The same; null for a market that has not traded. */
                            high: number | null;
                            /** @description The same; null for a market that has not traded. */
                            low: number | null;
                            /** @description Best buy order; 0 without one. */
                            bid: number;
                            /** @description Best sell order; 0 without one. */
                            ask: number;
                            /** @description Base tokens in 24 hours, AMM pools of the pair included. */
                            base_volume: number;
                            /** @description Target tokens in 24 hours, AMM pools of the pair included. */
                            target_volume: number;
                            /** @description USD in 24 hours, AMM pools of the pair included. */
                            volumeUSD24: number;
                            /** @description Target tokens in 90 days, without AMM pools. */
                            volume90d: number;
                            /** @description Base tokens that AMM pools of the pair hold. */
                            base_amm_liquidity: number;
                            /** @description Target tokens that AMM pools of the pair hold. */
                            target_amm_liquidity: number;
                            /** @description Smallest buy order, target tokens. */
                            min_buy: number;
                            /** @description Smallest sell order, base tokens. */
                            min_sell: number;
                            /** @description Whether trading is frozen. */
                            frozen: boolean;
                            /** @description Hundredths of a percent. */
                            fee: number;
                            /** @description Page of the market. */
                            trade_url: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tickers/{tickerId}/orderbook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The order book of a market
         * @description Bids from the highest price, asks from the lowest, as `[price, quantity]` with quantities in base. Orders of one price are one level. Default `depth`: 300 levels a side; 0: the whole book.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Levels of each side. Default 300; 0: all. */
                    depth?: number;
                };
                header?: never;
                path: {
                    /** @description `<base token id>_<target token id>`. */
                    tickerId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            /** @description Time of the block, Unix milliseconds. */
                            timestamp: number;
                            /** @description Highest price first. */
                            bids: string[][];
                            /** @description Lowest price first. */
                            asks: string[][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tickers/{tickerId}/historical_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of a market, oldest first
         * @description The newest trades of the range, oldest first. `type` is the taker’s side.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only trades of this side. */
                    type?: "buy" | "sell";
                    /** @description Maximum number of trades; the newest are returned. Default 200, maximum 1000; 0: the maximum. */
                    limit?: number;
                    /** @description Unix seconds, inclusive. */
                    start_time?: number;
                    /** @description Unix seconds, inclusive. */
                    end_time?: number;
                    /** @description Unix milliseconds, inclusive: an earlier form of `start_time`. */
                    from?: number;
                    /** @description Unix milliseconds, inclusive: an earlier form of `end_time`. */
                    to?: number;
                };
                header?: never;
                path: {
                    /** @description `<base token id>_<target token id>`. */
                    tickerId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the trade. */
                            trade_id: string;
                            /** @description Target per base. */
                            price: number;
                            /** @description Base tokens. */
                            base_volume: number;
                            /** @description Target tokens. */
                            target_volume: number;
                            /** @description Unix seconds. */
                            trade_timestamp: number;
                            /** @description `buy` or `sell`, from the side of the taker. */
                            type: string;
                            /** @description Transaction. */
                            trx_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tickers/{tickerId}/latest_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of a market, newest first: an earlier form
         * @description Kept for older clients: use `historical_trades`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of trades. Default 300, maximum 1000; 0: the maximum. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description `<base token id>_<target token id>`. */
                    tickerId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the trade. */
                            trade_id: string;
                            /** @description Target per base. */
                            price: number;
                            /** @description Base tokens. */
                            base_volume: number;
                            /** @description Target tokens. */
                            target_volume: number;
                            /** @description Unix seconds. */
                            trade_timestamp: number;
                            /** @description `buy` or `sell`, from the side of the taker. */
                            type: string;
                            /** @description Transaction. */
                            trx_id: string;
                            /** @description Unix milliseconds. */
                            time: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tickers/{tickerId}/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Candles of a market, oldest first
         * @description Volumes are in the target token. Periods without a trade are flat candles at the last price. At most 5,000 candles; with more in the range, the newest.
         */
        get: {
            parameters: {
                query: {
                    /** @description Minutes, 1D, 1W (from Monday) or 1M (calendar month), UTC. */
                    resolution: "1" | "5" | "15" | "30" | "60" | "240" | "1D" | "1W" | "1M";
                    /** @description Unix milliseconds. The first candle is the one that contains it. */
                    from: number;
                    /** @description Unix milliseconds. The last candle is the one that contains it. Default: the block’s time. */
                    to?: number;
                    /** @description Maximum number of candles; the newest are returned. Default and maximum 5000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description `<base token id>_<target token id>`. */
                    tickerId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Start of the candle, Unix milliseconds. */
                            time: number;
                            /** @description Price, target per base. */
                            open: number;
                            /** @description Price, target per base. */
                            high: number;
                            /** @description Price, target per base. */
                            low: number;
                            /** @description Price, target per base. */
                            close: number;
                            /** @description Volume in the unit asked for. */
                            volume: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/amm/pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Active pools */
        get: {
            parameters: {
                query?: {
                    /** @description Only pools that hold at least this much, USD. */
                    min_liquidity_usd?: number;
                    /** @description Leave out pools of tokens on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ticker_id: string;
                            base: {
                                /** @description `symbol-contract`. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Decimals. */
                                precision: number;
                            };
                            target: {
                                /** @description `symbol-contract`. */
                                id: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Decimals. */
                                precision: number;
                            };
                            pool_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/amm/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active pools with prices and volumes, most valuable first
         * @description One ticker a pool: pools of one pair with other fees share a ticker id and differ by `pool_id`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only pools that hold at least this much, USD. */
                    min_liquidity_usd?: number;
                    /** @description Leave out pools of tokens on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            /** @description Market or pool. */
                            pool_id: string;
                            /** @description Token id. */
                            base_currency: string;
                            /** @description Token id. */
                            target_currency: string;
                            /** @description Aggregator id; null when it does not list the token. */
                            base_cmc_ucid: number | null;
                            /** @description Aggregator id; null when it does not list the token. */
                            target_cmc_ucid: number | null;
                            /** @description `BASE-TARGET` when both are listed. */
                            global_ticker_id: string | null;
                            /** @description Target per base. */
                            last_price: number;
                            /** @description Base tokens in 24 hours. */
                            base_volume: number;
                            /** @description Target tokens in 24 hours. */
                            target_volume: number;
                            /** @description Value of what the pool holds. */
                            liquidity_in_usd: number;
                            /** @description Highest price of 24 hours; null without a trade. */
                            high: number | null;
                            /** @description Lowest price of 24 hours; null without a trade. */
                            low: number | null;
                            /** @description USD in 24 hours. */
                            volume_usd_24h: number;
                            /** @description Fee of the pool, percent. */
                            fee_percent: number;
                            trade_url: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/amm/historical_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps of all active pools of a ticker, oldest first
         * @description The newest swaps of the range, oldest first. The order of the tokens in the ticker is the pool’s.
         */
        get: {
            parameters: {
                query: {
                    /** @description `<token A>_<token B>`. */
                    ticker_id: string;
                    /** @description Only trades of this side. */
                    type?: "buy" | "sell";
                    /** @description Maximum number of trades; the newest are returned. Default 200, maximum 1000; 0: the maximum. */
                    limit?: number;
                    /** @description Unix seconds, inclusive. */
                    start_time?: number;
                    /** @description Unix seconds, inclusive. */
                    end_time?: number;
                    /** @description Unix milliseconds, inclusive: an earlier form of `start_time`. */
                    from?: number;
                    /** @description Unix milliseconds, inclusive: an earlier form of `end_time`. */
                    to?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the trade. */
                            trade_id: string;
                            /** @description Target per base. */
                            price: number;
                            /** @description Base tokens. */
                            base_volume: number;
                            /** @description Target tokens. */
                            target_volume: number;
                            /** @description Unix seconds. */
                            trade_timestamp: number;
                            /** @description `buy`: the base token left the pool; `sell`: it entered. */
                            type: string;
                            /** @description Transaction. */
                            trx_id: string;
                            ticker_id: string;
                            pool_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/swapRouter/getRoute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The best swap over pools, as memos of transfers
         * @description Over pools alone. Put one transfer of the input token for each of `swaps` into one transaction, to the AMM contract, with its `input` as quantity and its `memo`, in which `<receiver>` stands for the account that receives. New integrations: take the v3 form, which routes over order books too.
         */
        get: {
            parameters: {
                query: {
                    /** @description Whether the amount is what is sent or what is received. */
                    trade_type: "EXACT_INPUT" | "EXACT_OUTPUT";
                    /** @description Token id of what is sent. */
                    input: string;
                    /** @description Token id of what is received. */
                    output: string;
                    /** @description Whole tokens as a plain decimal, with no more decimals than the token. */
                    amount: string;
                    /** @description Percent by which the trade may end below its quote, from 0 to less than 100. Default 0.3. */
                    slippage?: number;
                    /** @description Account that receives; the memos have the literal `<receiver>` without one. */
                    receiver?: string;
                    /** @description Maximum number of pools of a path, from 1. Default and maximum 3. */
                    maxHops?: number;
                    /** @description Any value splits the trade over up to five swaps; otherwise there is one. */
                    v2?: string;
                    /** @description Whether to describe the pools. */
                    includePoolDetails?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description One transfer to the AMM contract each, to be signed in this order in one transaction. */
                            swaps: {
                                /** @description Asset to transfer; for exact output what is expected to be taken. */
                                input: string;
                                /** @description Asset expected. */
                                output: string;
                                /** @description Share of the trade. */
                                percent: number;
                                route: number[];
                                /** @description Memo of the transfer. */
                                memo: string;
                                /** @description Minimum output of this swap. */
                                minReceived: string;
                                /** @description Maximum input of this swap: for exact output, the amount to transfer. The contract returns the rest. */
                                maxSent: string;
                            }[];
                            /** @description Total sent. */
                            input: string;
                            /** @description Total expected. */
                            output: string;
                            /** @description Minimum output: the quoted output minus the slippage, rounded down. For exact output the output itself. */
                            minReceived: string;
                            /** @description Maximum input: the quoted input plus the slippage, rounded up. For exact input the input itself. */
                            maxSent: string;
                            /** @description Percent below the spot prices that the pools and markets had before, fees included; to six decimals. */
                            priceImpact: string;
                            /** @description Output for the input, in raw units. */
                            executionPrice: {
                                /** @description Raw output. */
                                numerator: string;
                                /** @description Raw input. */
                                denominator: string;
                            };
                            /** @description Pools of the first swap alone. */
                            route: number[];
                            /** @description Memo of the first swap alone. */
                            memo: string;
                            /** @description Pools by id; only with `includePoolDetails=true`. */
                            pools?: {
                                [key: string]: {
                                    /** @description Swap fee in hundredths of a basis point: 3000 is 0.3%. */
                                    fee: number;
                                    tokenA: {
                                        /** @description Token id. */
                                        id: string;
                                        /** @description Token contract. */
                                        contract: string;
                                        /** @description Token symbol. */
                                        symbol: string;
                                        /** @description Precision. */
                                        decimals: number;
                                        /** @description Tokens that the pool holds. */
                                        quantity: number;
                                    };
                                    tokenB: {
                                        /** @description Token id. */
                                        id: string;
                                        /** @description Token contract. */
                                        contract: string;
                                        /** @description Token symbol. */
                                        symbol: string;
                                        /** @description Precision. */
                                        decimals: number;
                                        /** @description Tokens that the pool holds. */
                                        quantity: number;
                                    };
                                };
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/swapRouter/getRoute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The best swap over pools and order books, as transfers and actions
         * @description The best price over AMM pools and order books. `actions` are ready to sign, in order, in one transaction; without `account` there are none and memos hold the literal `<account>`. A market order of a book reverts the whole transaction when it would pay less than its minimum.
         */
        get: {
            parameters: {
                query: {
                    /** @description Whether the amount is what is sent, or what is received; the latter over pools alone. */
                    tradeType: "exactIn" | "exactOut";
                    /** @description Token id of what is sent. */
                    input: string;
                    /** @description Token id of what is received. */
                    output: string;
                    /** @description Whole tokens as a plain decimal, with no more decimals than the token. */
                    amount: string;
                    /** @description Percent by which the trade may end below its quote, from 0 to less than 100. Default 0.3. */
                    slippage?: number;
                    /** @description Receiver of every swap and signer of the actions; without one there are no actions. */
                    account?: string;
                    /** @description Permission that signs the actions. Default `active`. */
                    permission?: string;
                    /** @description Maximum number of pools and markets of a path. Default 3. */
                    maxHops?: number;
                    /** @description Whether order books are used beside pools; they are unless `false`. */
                    orderbook?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description As requested.
                             * @enum {unknown}
                             */
                            tradeType: "exactIn" | "exactOut";
                            input: {
                                /** @description Token id. */
                                id: string;
                                /** @description Token symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Whole tokens, with all decimals. */
                                amount: string;
                            };
                            output: {
                                /** @description Token id. */
                                id: string;
                                /** @description Token symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Whole tokens, with all decimals. */
                                amount: string;
                            };
                            /** @description Exact input. Minimum output: the quoted output minus the slippage, rounded down. */
                            minReceived?: string;
                            /** @description Exact output. Maximum input: the quoted input plus the slippage, rounded up. */
                            maxSent?: string;
                            /** @description Percent below the spot prices that the pools and markets had before, fees included; to six decimals. */
                            priceImpact: string;
                            routes: {
                                /** @description Share of the trade. */
                                percent: number;
                                /** @description Whole tokens that enter. */
                                input: string;
                                /** @description Whole tokens that come out. */
                                output: string;
                                hops: {
                                    /** @enum {unknown} */
                                    venue: "amm" | "orderbook";
                                    /** @description Pool id, on the AMM. */
                                    pool?: number;
                                    /** @description Market id, on an order book. */
                                    market?: number;
                                    /** @description Token id. */
                                    input: string;
                                    /** @description Token id. */
                                    output: string;
                                    /** @description Percent. */
                                    fee: string;
                                }[];
                            }[];
                            /** @description To be signed in this order in one transaction. */
                            transfers: {
                                /** @description Contract of the token that is sent. */
                                tokenContract: string;
                                /** @description The AMM or the order-book contract. */
                                to: string;
                                /** @description Asset to send; for exact output the most that may be taken: what is not needed comes back. */
                                quantity: string;
                                /** @description Memo; with the literal `<account>` when no account was given. */
                                memo: string;
                            }[];
                            /** @description The transfers as actions; only with `account`. */
                            actions?: {
                                /** @description Token contract. */
                                account: string;
                                /** @description `transfer`. */
                                name: string;
                                authorization: {
                                    /** @description Account. */
                                    actor: string;
                                    /** @description Permission. */
                                    permission: string;
                                }[];
                                data: {
                                    /** @description Account. */
                                    from: string;
                                    /** @description Contract. */
                                    to: string;
                                    /** @description Asset. */
                                    quantity: string;
                                    /** @description Memo. */
                                    memo: string;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/tx/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every fact of a transaction
         * @description In the order of the chain, over all datasets. Each fact is a row of the SQL view of its dataset. `final` changes to true when the block is irreversible; a fork removes a fact that is not final.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Transaction. It is a transaction id: 64 hexadecimal digits. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last indexed block that the answer includes. */
                            block: number;
                            /** @description Transaction id. */
                            transaction: string;
                            /** @description What the facts cover: actions of the watched contracts. */
                            contracts: string;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/block/{block}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A block and its facts, in order
         * @description The header and a page of the facts, in the order of the chain.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    after?: string;
                    /** @description Maximum number of facts. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Block. It is the number of a block, or its id of 64 hexadecimal digits. */
                    block: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last indexed block that the answer includes. */
                            block: number;
                            /** @description Number of the block. */
                            num: number;
                            /** @description Id of the block. */
                            id: string;
                            /** @description Id of its parent. */
                            previous: string;
                            /** @description Time of the block, ISO 8601. */
                            time: string;
                            /** @description Account that produced it. */
                            producer: string;
                            /** @description Whether the block is irreversible. */
                            final: boolean;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `after` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/account/{account}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account did, over all datasets, newest first
         * @description One cursor for all datasets: a page that follows `next` neither loses nor repeats a fact while blocks arrive. Facts of one action stay on one page, so a page may have some more facts than `limit`. The cost of a page does not depend on how old it is.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only these datasets, separated by commas: claim_events, deals, deposit_events, deposits, incentive_events, order_events, position_events, swaps, transfers, withdrawal_events, withdrawals. */
                    kind?: string;
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of facts. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last indexed block that the answer includes. */
                            block: number;
                            /** @description Account. */
                            account: string;
                            /** @description First indexed block: nothing is known of earlier ones. */
                            firstBlock: number;
                            /** @description Its time, ISO 8601. */
                            firstBlockTime: string | null;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/account/{account}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of watched tokens from and to an account, newest first
         * @description As `activity` with `kind=transfers`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of facts. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last indexed block that the answer includes. */
                            block: number;
                            /** @description Account. */
                            account: string;
                            /** @description First indexed block: nothing is known of earlier ones. */
                            firstBlock: number;
                            /** @description Its time, ISO 8601. */
                            firstBlockTime: string | null;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find accounts, tokens, pools, markets, transactions, blocks and bridge transfers
         * @description Best results first. A text may name several kinds of things: `5` is a pool, a market and a block. Without `kind`, no kind fills more than half of the list. Tokens, pools and markets are those of the chain of the host, found by any part of symbol and contract; accounts by the start of the name; transactions by the whole id. Bridge transfers are those of all chains: their `chain` is where they began.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is searched, any case, 100 characters at most: the start of an account's name; a token's symbol, contract or id, or a part of them; two tokens of a pair (`tlm/wax`); the number of a pool, market or block (`pool:5` and `market:5` name one kind); the id of a block, from 8 digits on; the id of a transaction, also of one that began, passed on or ended a bridge transfer, on any chain; the key of a bridge transfer. */
                    q?: string;
                    /** @description Only results of this kind. */
                    kind?: "bridge" | "transaction" | "block" | "account" | "token" | "market" | "pool";
                    /** @description Maximum number of results. Default 20, maximum 100. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description What was searched. */
                            query: string;
                            results: {
                                /**
                                 * @description What was found.
                                 * @enum {unknown}
                                 */
                                kind: "bridge" | "transaction" | "block" | "account" | "token" | "market" | "pool";
                                /** @description Its id, as in the paths of its endpoints. */
                                id: string;
                                /** @description Chain on which it is. */
                                chain: string;
                                /** @description Its name for people. */
                                label: string;
                                /** @description Distinguishes it from others of the same name, for people. */
                                detail: string | null;
                                /** @description How well the text names it: 100 for an id of its own, less for parts. */
                                score: number;
                                /** @description Whether its block is irreversible, of a bridge transfer the block of its first known action; null for what has no block. */
                                final: boolean | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/account/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An account: balances, positions, open orders and their values
         * @description Lists and sums are of one block. Amounts have all decimals of their token; values have 8 significant digits and are null when a price is unknown, never 0. A position is worth what closing it pays, with the fees that are not collected. An order is worth what is left of its offer. Sums are of trusted tokens alone, because anyone can give a token any price; `unvalued` counts the other parts. `final` is of the row: the answer is always of the head. An account without anything has empty lists.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Account. */
                            account: string;
                            /** @description Balances of watched tokens above zero, the most valuable first. */
                            balances: {
                                token: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Balance, exact. */
                                amount: string;
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Whether no block that a fork can still replace changed the row. The answer itself is of the head. */
                                final: boolean;
                            }[];
                            /** @description Positions with liquidity or with fees that are not collected, the most valuable first. */
                            positions: {
                                /** @description Position id. */
                                id: string;
                                /** @description Pool id. */
                                pool: number;
                                /** @description Owner. */
                                owner: string;
                                tokenA: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                tokenB: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Lower tick of the range. */
                                tickLower: number;
                                /** @description Upper tick of the range. */
                                tickUpper: number;
                                /** @description Price of A in B at the lower tick. */
                                priceLower: string;
                                /** @description Price of A in B at the upper tick. */
                                priceUpper: string;
                                /** @description Whether the current price is inside the range. */
                                inRange: boolean;
                                /** @description Liquidity. */
                                liquidity: string;
                                /** @description Tokens A that closing the position pays now, exact. */
                                amountA: string;
                                /** @description Tokens B that closing the position pays now, exact. */
                                amountB: string;
                                /** @description Fees in A that are not collected, exact. */
                                feesA: string;
                                /** @description Fees in B that are not collected, exact. */
                                feesB: string;
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Part of `value` that the fees are. */
                                feesValue: string | null;
                                /** @description The same in USD. */
                                feesValueUsd: string | null;
                                /** @description Until when it cannot be withdrawn, ISO 8601; null without a lock. */
                                lockedUntil: string | null;
                                /** @description Whether it is locked now. */
                                locked: boolean;
                                /** @description Whether no block that a fork can still replace changed the row. The answer itself is of the head. */
                                final: boolean;
                            }[];
                            /** @description Open orders, by market. */
                            orders: {
                                /** @description Market id. */
                                market: number;
                                /** @description Order id. */
                                id: string;
                                /**
                                 * @description A buy order offers the target, a sell order the base.
                                 * @enum {unknown}
                                 */
                                side: "buy" | "sell";
                                base: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                target: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Target for one base, exact. */
                                price: string;
                                /** @description What is left of the offer. */
                                offered: {
                                    /** @description Token id. */
                                    token: string;
                                    /** @description Amount, exact. */
                                    amount: string;
                                };
                                /** @description What is asked for it. */
                                wanted: {
                                    /** @description Token id. */
                                    token: string;
                                    /** @description Amount, exact. */
                                    amount: string;
                                };
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Time of the order by the contract, ISO 8601. */
                                placed: string;
                                /** @description Whether no block that a fork can still replace changed the row. The answer itself is of the head. */
                                final: boolean;
                            }[];
                            /** @description Sums of the lists. A sum is null when it has parts and the value of none is known. */
                            totals: {
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Parts with a token that has no price or is not trusted: they are not in the sums. */
                                unvalued: number;
                                balances: {
                                    /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                    value: string | null;
                                    /** @description The same in USD. */
                                    valueUsd: string | null;
                                    /** @description Parts with a token that has no price or is not trusted: they are not in the sums. */
                                    unvalued: number;
                                };
                                positions: {
                                    /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                    value: string | null;
                                    /** @description The same in USD. */
                                    valueUsd: string | null;
                                    /** @description Parts with a token that has no price or is not trusted: they are not in the sums. */
                                    unvalued: number;
                                };
                                /** @description Fees that are not collected: a part of the positions. */
                                fees: {
                                    /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                    value: string | null;
                                    /** @description The same in USD. */
                                    valueUsd: string | null;
                                    /** @description Parts with a token that has no price or is not trusted: they are not in the sums. */
                                    unvalued: number;
                                };
                                orders: {
                                    /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                    value: string | null;
                                    /** @description The same in USD. */
                                    valueUsd: string | null;
                                    /** @description Parts with a token that has no price or is not trusted: they are not in the sums. */
                                    unvalued: number;
                                };
                            };
                            /** @description Whether all rows are known. False when the indexed history begins in the middle of the chain without its full state: rows that have not changed since are missing, so sums are too small. */
                            complete: boolean;
                            /** @description Whether the account has more than 1000 rows of a kind: lists and sums are then of the first ones by id. */
                            truncated: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/account/{account}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Value of an account by hour: balances and positions
         * @description What an account was worth at the end of each hour, by the prices at that moment: balances, and the tokens that closing its positions would have paid then. Balances are those of watched tokens that are trusted now. Fees that were not collected, and the tokens of open orders, are not in the values, because their past amounts are not kept. A position is in the values when both of its tokens had a price and are trusted. `unvalued` counts the parts left out. A value is null when balances or positions of that time are not known, because the indexed history had not begun, or when no part had a price; an account without anything has the value 0. Positions of an hour are not known when more than 1,000 were open, or when the account changed positions more than 50,000 times since: that bounds the cost of a request.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Unix milliseconds. The last hour is the one that contains it. Default: the last completed hour. */
                    to?: number;
                    /** @description Maximum number of hours. Default 168, maximum 1000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Account. */
                            account: string;
                            /** @description Oldest first. Hours without blocks, and the hour that is not over, are left out. */
                            hours: {
                                /** @description Start of the hour, ISO 8601. */
                                time: string;
                                /** @description Value of the balances and the positions in system tokens at the end of the hour, 8 significant digits; null when it is not known. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Parts of the balances and the positions without a known price: they are not in the value. */
                                unvalued: number;
                                balances: {
                                    /** @description Value of the balances in system tokens at the end of the hour, 8 significant digits; null when it is not known. */
                                    value: string | null;
                                    /** @description The same in USD. */
                                    valueUsd: string | null;
                                    /** @description Parts of the balances without a known price: they are not in the value. */
                                    unvalued: number;
                                };
                                positions: {
                                    /** @description Value of the liquidity of the positions in system tokens at the end of the hour, 8 significant digits; null when it is not known. */
                                    value: string | null;
                                    /** @description The same in USD. */
                                    valueUsd: string | null;
                                    /** @description Parts of the liquidity of the positions without a known price: they are not in the value. */
                                    unvalued: number;
                                };
                            }[];
                            /** @description `to` of the page of older hours; null when there are none. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/token/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token: price, supply and holders
         * @description Price, supply, number of holders by the hour, and the ten largest holders. Supply and holders are those of watched tokens.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`, any case. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            token: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            /** @description System tokens for one token; null without a price. */
                            price: string | null;
                            /** @description USD for one token; null likewise. */
                            priceUsd: string | null;
                            /** @description Pools that trade it. */
                            pools: number;
                            /** @description Order-book markets that trade it. */
                            markets: number;
                            supply: {
                                /** @description Tokens in circulation, exact. */
                                amount: string;
                                /** @description Maximum supply in tokens, exact. */
                                max: string;
                                /** @description Account that may issue. */
                                issuer: string;
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                            } | null;
                            /** @description Null when the holders were not counted in the last two days. */
                            holders: {
                                /** @description Accounts with a balance at the last counted hour. */
                                count: number;
                                /** @description Change in 1 hours; null when not counted then. */
                                change1h: number | null;
                                /** @description Change in 24 hours; null when not counted then. */
                                change24h: number | null;
                                /** @description Whether there may be more: balances before the indexed history are unknown. */
                                truncated: boolean;
                            } | null;
                            /** @description The ten largest holders; null when the balances of the token are not watched. */
                            top: {
                                /** @description Account. */
                                account: string;
                                /** @description Balance, exact. */
                                amount: string;
                                /** @description Part of the supply, 8 significant digits; null when there is none. */
                                share: string | null;
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Whether no block that a fork can still replace changed the row. The answer itself is of the head. */
                                final: boolean;
                            }[] | null;
                            /** @description Whether all rows are known. False when the indexed history begins in the middle of the chain without its full state: rows that have not changed since are missing, so sums are too small. */
                            complete: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/token/{tokenId}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Holders of a token, the largest first
         * @description Read through an index in the order of the balances, so an old page costs as much as the first. A holder whose balance changes between two pages may be on both, or on neither.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of holders. Default 200, maximum 1000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`, any case. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            token: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            /** @description The largest first. */
                            holders: {
                                /** @description Account. */
                                account: string;
                                /** @description Balance, exact. */
                                amount: string;
                                /** @description Part of the supply, 8 significant digits; null when there is none. */
                                share: string | null;
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Whether no block that a fork can still replace changed the row. The answer itself is of the head. */
                                final: boolean;
                            }[];
                            /** @description Whether all rows are known. False when the indexed history begins in the middle of the chain without its full state: rows that have not changed since are missing, so sums are too small. */
                            complete: boolean;
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/token/{tokenId}/distribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a token is distributed over its holders
         * @description Holders are counted in buckets by powers of ten of their balance, as of the block. All are counted, and sums are exact. A count that takes long, because there are very many holders, is used again for twenty times as long: `block` says of which block it is.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`, any case. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. Of a token with very many holders, it can be an earlier block. */
                            block: number;
                            /** @description Token id. */
                            token: string;
                            /** @description Accounts with a balance. */
                            holders: number;
                            /** @description Whether all rows are known. False when the indexed history begins in the middle of the chain without its full state: rows that have not changed since are missing, so sums are too small. */
                            complete: boolean;
                            /** @description The largest 1, 10, 50 and 100 holders together. With fewer holders: all of them. */
                            largest: {
                                /** @description Number of holders. */
                                count: number;
                                /** @description Tokens that they hold together, exact. */
                                amount: string;
                                /** @description Part of the supply, 8 significant digits; null when there is no supply. */
                                share: string | null;
                            }[];
                            /** @description By size of the balance, the largest first, without gaps. */
                            buckets: {
                                /** @description Smallest balance of the bucket, in tokens: a power of ten. */
                                from: string;
                                /** @description Ten times `from`: balances of the bucket are below it. */
                                below: string;
                                /** @description Accounts with such a balance. */
                                holders: number;
                                /** @description Tokens that they hold together, exact. */
                                amount: string;
                                /** @description Part of the supply, 8 significant digits; null when there is no supply. */
                                share: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/token/{tokenId}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prices of a token by hour
         * @description Prices through the pools that price the token now, at the end of each hour; at the block for the hour that is not over. An hour before a pool of the path was created, or before the indexed history, has no price. USD is by the price of the system token at that time.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Unix milliseconds. The last hour is the one that contains it. Default: the block’s hour. */
                    to?: number;
                    /** @description Maximum number of hours. Default 168, maximum 1000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`, any case. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            token: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            /** @description Pools that price the token now, from it to the system token: the prices of all hours are through them. Null when it has no price now. */
                            path: number[] | null;
                            /** @description Oldest first, without gaps: a price holds until the next swap. */
                            hours: {
                                /** @description Start of the hour, ISO 8601. */
                                time: string;
                                /** @description System tokens for one token at the end of the hour; null when a pool had no price yet. */
                                price: string | null;
                                /** @description USD for one token at the end of the hour; null when it was not known. */
                                priceUsd: string | null;
                                /** @description Whether the hour has ended: else the price is that of the block. */
                                over: boolean;
                            }[];
                            /** @description `to` of the page of older hours; null when there are none. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/token/{tokenId}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a token, newest first
         * @description Newest first. A page that follows `next` neither loses nor repeats a transfer while blocks arrive, and an old page costs as much as the first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of facts. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Token id: `<symbol>-<contract>`, any case. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Token id. */
                            token: string;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/pool/{poolId}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Positions of a pool, the most liquidity first
         * @description By liquidity, a position moves only when its own liquidity changes; then it can be on two pages, or on none. By `order=id`, no position moves: all pages together have each one once. A page reads its own rows alone, so an old page costs as much as the first. Values are of the block of the answer.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `liquidity`, which is the default: the most liquidity first. A position moves only when its own liquidity changes; then it can be on two pages, or on none. `id`: the oldest first. No position moves, so pages together have each one once. */
                    order?: "liquidity" | "id";
                    /** @description `next` of the previous page, of the same order. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of positions. Default 200, maximum 1000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Pool id. */
                            pool: number;
                            /** @description Positions with liquidity, in the order of the request. */
                            positions: {
                                /** @description Position id. */
                                id: string;
                                /** @description Pool id. */
                                pool: number;
                                /** @description Owner. */
                                owner: string;
                                tokenA: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                tokenB: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Lower tick of the range. */
                                tickLower: number;
                                /** @description Upper tick of the range. */
                                tickUpper: number;
                                /** @description Price of A in B at the lower tick. */
                                priceLower: string;
                                /** @description Price of A in B at the upper tick. */
                                priceUpper: string;
                                /** @description Whether the current price is inside the range. */
                                inRange: boolean;
                                /** @description Liquidity. */
                                liquidity: string;
                                /** @description Tokens A that closing the position pays now, exact. */
                                amountA: string;
                                /** @description Tokens B that closing the position pays now, exact. */
                                amountB: string;
                                /** @description Fees in A that are not collected, exact. */
                                feesA: string;
                                /** @description Fees in B that are not collected, exact. */
                                feesB: string;
                                /** @description Value in system tokens, 8 significant digits; null when a price is unknown. */
                                value: string | null;
                                /** @description The same in USD. */
                                valueUsd: string | null;
                                /** @description Part of `value` that the fees are. */
                                feesValue: string | null;
                                /** @description The same in USD. */
                                feesValueUsd: string | null;
                                /** @description Until when it cannot be withdrawn, ISO 8601; null without a lock. */
                                lockedUntil: string | null;
                                /** @description Whether it is locked now. */
                                locked: boolean;
                                /** @description Whether no block that a fork can still replace changed the row. The answer itself is of the head. */
                                final: boolean;
                            }[];
                            /** @description Whether all positions are known. False when the indexed history begins in the middle of the chain without its full state: positions that have not changed since are missing. */
                            complete: boolean;
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/pool/{poolId}/liquidity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liquidity of a pool by price
         * @description Each position adds its liquidity at its lower tick and takes it away at its upper one; the ticks have these changes in sum, as the contract holds them. If `complete`, the sum up to the current tick is `liquidity`; otherwise sums can be too small, too large or negative, because ticks of positions are missing. The price of A in B at a tick is 1.0001 to the power of the tick, in raw units.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Pool id. */
                            pool: number;
                            /** @description Current tick. */
                            tick: number;
                            /** @description Liquidity in range at the current tick. */
                            liquidity: string;
                            /** @description Initialised ticks, the lowest first. If `complete`, the liquidity at a price is the sum of `net` up to its tick. */
                            ticks: {
                                /** @description Tick at which ranges of positions begin or end. */
                                tick: number;
                                /** @description Liquidity that is added when the price rises over the tick; negative when it is removed. */
                                net: string;
                            }[];
                            /** @description Whether all rows are known. False when the indexed history begins in the middle of the chain without its full state: rows that have not changed since are missing, so sums are too small. */
                            complete: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/large-trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Large swaps and deals of all pools and markets, newest first
         * @description Swaps and deals of at least 100, 1,000 or 10,000 USD, valued when they were made; trades of an unknown value are not among them. A page that follows `next` neither loses nor repeats a trade while blocks arrive.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Minimum value in USD at the time of the trade: 100, 1000, 10000. Default 100. */
                    usd?: number;
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of trades. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/market/{marketId}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of an order-book market with both accounts, newest first
         * @description Each trade is a row of the SQL view of deals: `bidder` is the account of the order that took, `asker` that of the order that rested. `type` is `buymatch` when the taker bought. A page that follows `next` neither loses nor repeats a trade while blocks arrive, and an old page costs as much as the first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of facts. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Market id. */
                    marketId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Market id. */
                            market: number;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/explore/pool/{poolId}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps of a pool with exact amounts, newest first
         * @description Each trade is a row of the SQL view of swaps: amounts are exact, positive where a token entered the pool and negative where it left. `price` is that after the swap. A page that follows `next` neither loses nor repeats a swap while blocks arrive, and an old page costs as much as the first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the previous page. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                    /** @description Maximum number of facts. Default 200, maximum 10000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Block as of which the answer is. */
                            block: number;
                            /** @description Pool id. */
                            pool: number;
                            facts: {
                                /** @description Name of the view in SQL. */
                                dataset: string;
                                /** @description Number of the block. */
                                block: number;
                                /** @description Time of the block, ISO 8601. */
                                time: string;
                                /** @description Global sequence of the action. */
                                sequence: string;
                                /** @description Transaction id. */
                                transaction: string;
                                /** @description Whether the block is irreversible. */
                                final: boolean;
                                /** @description Columns of the view, by their names in the data dictionary. Numbers are texts, exact. */
                                row: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description `cursor` of the next page; null at the end. */
                            next: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/stream/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Facts as they come, from any block on
         * @description Server-sent events, or a WebSocket when the request asks for one: the same messages as JSON, one in each event or frame. Every message has a `cursor`, also as the id of the event. After a break connect again with the last cursor (`cursor=`, or `Last-Event-ID`, which browsers send by themselves): the stream goes on from there, however long the break was.
         *
         *     - `start`: where the stream begins. Without a cursor that is the newest block.
         *     - `block`: all wanted facts of a block, in the order of the chain. Blocks without any are left out.
         *     - `undo`: a fork replaced the blocks in `undone`. Remove all facts of blocks above `block`; those of the new branch follow. A client that does so has every fact of the followed branch once.
         *     - `progress`: the cursor, when nothing else was sent for ten seconds; with `progress=true` also whenever the head or the last irreversible block has advanced, without wanted facts too; several blocks can share one.
         *     - `other`, with `others=true` alone: `chain`, a chain of the bridge without a stream, such as an EVM chain, may have a new block. It is not repeated after a break.
         *     - `error` with `code` `STREAM_CURSOR`: the block of the cursor is not known, because it is older than the indexed history, more than 1,000 blocks above the head, or of another chain. The connection ends: read the facts from the other endpoints and start again.
         *
         *     `lib` is the last irreversible block: facts up to it are never undone. With `final=true` only those are sent. A client that reads slowly gets everything later; one that takes nothing for 30 seconds is disconnected. There is a limit of connections in all (503; 1,000 unless the operator sets another) and from one address (429; none unless the operator sets one).
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only these, separated by commas: claim_events, deals, deposit_events, deposits, gateway_credits, hop_returns, hops, incentive_events, noops, order_events, pool_creations, position_events, protocol_fees, swaps, transfers, undecoded_actions, withdrawal_events, withdrawals. `none`: no facts, only forks and the progress. */
                    datasets?: string;
                    /** @description Only facts that name this account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account?: string;
                    /** @description Only facts of this pool. It is the number of a pool. */
                    pool?: string;
                    /** @description Only facts of this token: transfers, and others whose row has a `token_id`. Swaps and deals have none. It is a token id: symbol, hyphen and contract in lower case, such as usdt-usdt.svc. */
                    token?: string;
                    /** @description Only facts of this transaction. It is a transaction id: 64 hexadecimal digits. */
                    transaction?: string;
                    /** @description Only facts of irreversible blocks: none of them is ever undone. */
                    final?: boolean;
                    /** @description Also `progress` whenever the head or the last irreversible block has advanced, without wanted facts too. */
                    progress?: boolean;
                    /** @description Also `other` after each block of a chain of the bridge that has no stream, such as an EVM chain. */
                    others?: boolean;
                    /** @description Cursor of the last message. Without it, and without `Last-Event-ID`, from the newest block on. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/history/get_actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers as actions, as Hyperion answers them
         * @description For clients of Hyperion. An answer is of transfers alone, and `coverage` says so: from which block on, of which contracts, and which members of Hyperion’s actions are left out because they are not indexed. What cannot be answered exactly is refused with a `code`, never answered in part: `HYPERION_ACTION` (another action than `transfer`), `HYPERION_PARAMETER` (a parameter that is not supported or is malformed), `HYPERION_UNBOUNDED` (neither account nor contract is named), `HYPERION_DEPTH` (`skip` reaches too far: continue with `before` or `after`), `HYPERION_CONTRACT` and `HYPERION_TRANSACTION` (not indexed), `HYPERION_HISTORY` (the range ends before the indexed history, which begins at `coverage.first_block`), `HYPERION_TIMEOUT` (503: a search by several filters or by contract took longer than 500 ms: narrow it with `after` and `before`). `account` finds transfers that it sent or received, and those of its own tokens.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Sender, receiver or token contract. */
                    account?: string;
                    /** @description `*:transfer` or `CONTRACT:transfer`, several with commas. Other actions are refused. */
                    filter?: string;
                    /** @description Token contract. */
                    "act.account"?: string;
                    /** @description `transfer`. */
                    "act.name"?: string;
                    /** @description Sender. */
                    "transfer.from"?: string;
                    /** @description Receiver. */
                    "transfer.to"?: string;
                    /** @description Symbol. */
                    "transfer.symbol"?: string;
                    /** @description Rows to skip. */
                    skip?: string;
                    /** @description Maximum number of rows. Default 10, maximum 1000; `skip` and `limit` together: at most 10000. */
                    limit?: string;
                    /** @description `desc`, the default, or `asc`. */
                    sort?: string;
                    /** @description ISO time or block number, inclusive. */
                    after?: string;
                    /** @description ISO time or block number, inclusive. */
                    before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Time that the answer took, milliseconds. */
                            query_time_ms: number;
                            /** @description Last irreversible block: later blocks may be replaced by a fork. */
                            lib: number;
                            /** @description Last block of the answer. */
                            last_indexed_block: number;
                            /** @description Its time. */
                            last_indexed_block_time: string;
                            /** @description What the answer covers. */
                            coverage: {
                                /** @description First indexed block: nothing is known of earlier ones. Null before the first. */
                                first_block: number | null;
                                /** @description Its time. */
                                first_block_time: string | null;
                                /** @description Contracts whose transfers are indexed; `*`: every token contract of the standard layout. */
                                contracts: string[];
                                /** @description Names of the actions. */
                                actions: string[];
                                /** @description Members of Hyperion’s actions that are not indexed. */
                                omitted: string[];
                            };
                            total: {
                                /** @description Rows that match, as far as they were counted. */
                                value: number;
                                /** @description `eq`: there are no more; `gte`: there may be more. */
                                relation: string;
                            };
                            actions: {
                                /** @description Time of the block, UTC without a zone. */
                                "@timestamp": string;
                                /** @description The same. */
                                timestamp: string;
                                /** @description Block number. */
                                block_num: number;
                                /** @description Block id. */
                                block_id: string | null;
                                /** @description Transaction id. */
                                trx_id: string;
                                act: {
                                    /** @description Contract. */
                                    account: string;
                                    /** @description Action: `transfer`. */
                                    name: string;
                                    data: {
                                        /** @description Account that sent. */
                                        from: string;
                                        /** @description Account that received. */
                                        to: string;
                                        /** @description Amount as a number: rounded above 2^53 raw units. */
                                        amount: number;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Amount and symbol, exact. */
                                        quantity: string;
                                        /** @description Memo. */
                                        memo: string;
                                    };
                                };
                                /** @description Global sequence of the action. */
                                global_sequence: number;
                                /** @description Account that produced the block. */
                                producer: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/history/get_transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers by sender, receiver or token, as Hyperion answers them
         * @description For clients of Hyperion. An answer is of transfers alone, and `coverage` says so: from which block on, of which contracts, and which members of Hyperion’s actions are left out because they are not indexed. What cannot be answered exactly is refused with a `code`, never answered in part: `HYPERION_ACTION` (another action than `transfer`), `HYPERION_PARAMETER` (a parameter that is not supported or is malformed), `HYPERION_UNBOUNDED` (neither account nor contract is named), `HYPERION_DEPTH` (`skip` reaches too far: continue with `before` or `after`), `HYPERION_CONTRACT` and `HYPERION_TRANSACTION` (not indexed), `HYPERION_HISTORY` (the range ends before the indexed history, which begins at `coverage.first_block`), `HYPERION_TIMEOUT` (503: a search by several filters or by contract took longer than 500 ms: narrow it with `after` and `before`).
         */
        get: {
            parameters: {
                query?: {
                    /** @description Sender. */
                    from?: string;
                    /** @description Receiver. */
                    to?: string;
                    /** @description Token contract. */
                    contract?: string;
                    /** @description Symbol. */
                    symbol?: string;
                    /** @description Rows to skip. */
                    skip?: string;
                    /** @description Maximum number of rows. Default 10, maximum 1000; `skip` and `limit` together: at most 10000. */
                    limit?: string;
                    /** @description `desc`, the default, or `asc`. */
                    sort?: string;
                    /** @description ISO time or block number, inclusive. */
                    after?: string;
                    /** @description ISO time or block number, inclusive. */
                    before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Time that the answer took, milliseconds. */
                            query_time_ms: number;
                            /** @description Last irreversible block: later blocks may be replaced by a fork. */
                            lib: number;
                            /** @description Last block of the answer. */
                            last_indexed_block: number;
                            /** @description Its time. */
                            last_indexed_block_time: string;
                            /** @description What the answer covers. */
                            coverage: {
                                /** @description First indexed block: nothing is known of earlier ones. Null before the first. */
                                first_block: number | null;
                                /** @description Its time. */
                                first_block_time: string | null;
                                /** @description Contracts whose transfers are indexed; `*`: every token contract of the standard layout. */
                                contracts: string[];
                                /** @description Names of the actions. */
                                actions: string[];
                                /** @description Members of Hyperion’s actions that are not indexed. */
                                omitted: string[];
                            };
                            total: {
                                /** @description Rows that match, as far as they were counted. */
                                value: number;
                                /** @description `eq`: there are no more; `gte`: there may be more. */
                                relation: string;
                            };
                            actions: {
                                /** @description Time of the block, UTC without a zone. */
                                "@timestamp": string;
                                /** @description The same. */
                                timestamp: string;
                                /** @description Block number. */
                                block_num: number;
                                /** @description Block id. */
                                block_id: string | null;
                                /** @description Transaction id. */
                                trx_id: string;
                                act: {
                                    /** @description Contract. */
                                    account: string;
                                    /** @description Action: `transfer`. */
                                    name: string;
                                    data: {
                                        /** @description Account that sent. */
                                        from: string;
                                        /** @description Account that received. */
                                        to: string;
                                        /** @description Amount as a number: rounded above 2^53 raw units. */
                                        amount: number;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Amount and symbol, exact. */
                                        quantity: string;
                                        /** @description Memo. */
                                        memo: string;
                                    };
                                };
                                /** @description Global sequence of the action. */
                                global_sequence: number;
                                /** @description Account that produced the block. */
                                producer: string | null;
                            }[];
                            /** @description Transfers of this page. */
                            action_count: number;
                            /** @description Sum of their amounts; null amounts do not exist. Of several symbols it has no meaning. */
                            total_amount: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/history/get_transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a transaction, as Hyperion answers them
         * @description For clients of Hyperion: the transfers of a transaction, in order. Its other actions are not covered, as `coverage` says. `executed` is always true: a transaction without an indexed transfer is refused, because nothing is known of it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Transaction id, 64 hexadecimal digits. */
                    id?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Time that the answer took, milliseconds. */
                            query_time_ms: number;
                            /** @description Last irreversible block: later blocks may be replaced by a fork. */
                            lib: number;
                            /** @description Last block of the answer. */
                            last_indexed_block: number;
                            /** @description Its time. */
                            last_indexed_block_time: string;
                            /** @description What the answer covers. */
                            coverage: {
                                /** @description First indexed block: nothing is known of earlier ones. Null before the first. */
                                first_block: number | null;
                                /** @description Its time. */
                                first_block_time: string | null;
                                /** @description Contracts whose transfers are indexed; `*`: every token contract of the standard layout. */
                                contracts: string[];
                                /** @description Names of the actions. */
                                actions: string[];
                                /** @description Members of Hyperion’s actions that are not indexed. */
                                omitted: string[];
                            };
                            /** @description True: a transaction with an indexed action was executed. */
                            executed: boolean;
                            /** @description Transaction id. */
                            trx_id: string;
                            /** @description Its transfers, in order: other actions are not covered. */
                            actions: {
                                /** @description Time of the block, UTC without a zone. */
                                "@timestamp": string;
                                /** @description The same. */
                                timestamp: string;
                                /** @description Block number. */
                                block_num: number;
                                /** @description Block id. */
                                block_id: string | null;
                                /** @description Transaction id. */
                                trx_id: string;
                                act: {
                                    /** @description Contract. */
                                    account: string;
                                    /** @description Action: `transfer`. */
                                    name: string;
                                    data: {
                                        /** @description Account that sent. */
                                        from: string;
                                        /** @description Account that received. */
                                        to: string;
                                        /** @description Amount as a number: rounded above 2^53 raw units. */
                                        amount: number;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Amount and symbol, exact. */
                                        quantity: string;
                                        /** @description Memo. */
                                        memo: string;
                                    };
                                };
                                /** @description Global sequence of the action. */
                                global_sequence: number;
                                /** @description Account that produced the block. */
                                producer: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/state/get_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balances of an account, as Hyperion answers them
         * @description For clients of Hyperion: balances above zero of the tokens that `coverage` names. Where the indexed history began without the full state of the chain, it is refused with `HYPERION_HISTORY`: balances that have not changed since are unknown.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Account. */
                    account?: string;
                    /** @description Rows to skip. */
                    skip?: string;
                    /** @description Maximum number of rows. Default 10, maximum 1000; `skip` and `limit` together: at most 10000. */
                    limit?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Time that the answer took, milliseconds. */
                            query_time_ms: number;
                            /** @description Last irreversible block: later blocks may be replaced by a fork. */
                            lib: number;
                            /** @description Last block of the answer. */
                            last_indexed_block: number;
                            /** @description Its time. */
                            last_indexed_block_time: string;
                            /** @description What the answer covers. */
                            coverage: {
                                /** @description First indexed block: nothing is known of earlier ones. Null before the first. */
                                first_block: number | null;
                                /** @description Its time. */
                                first_block_time: string | null;
                                /** @description Contracts whose transfers are indexed; `*`: every token contract of the standard layout. */
                                contracts: string[];
                                /** @description Names of the actions. */
                                actions: string[];
                                /** @description Members of Hyperion’s actions that are not indexed. */
                                omitted: string[];
                            };
                            /** @description Account. */
                            account: string;
                            /** @description Balances above zero. */
                            tokens: {
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Precision. */
                                precision: number;
                                /** @description Balance as a number. */
                                amount: number;
                                /** @description Token contract. */
                                contract: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health, as Hyperion answers it
         * @description For clients of Hyperion: position of node and database, and which calls are answered. `/health/ready` says more to operators.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Version of this service. */
                            version: string;
                            /** @description Host of the request. */
                            host: string;
                            health: {
                                /** @description Name that Hyperion’s clients look for. */
                                service: string;
                                /** @description `OK`, or `Warning` when the service waits for blocks. */
                                status: string;
                                /** @description Position of the node or of the database. */
                                service_data: {
                                    [key: string]: unknown;
                                };
                                /** @description When this was read, Unix milliseconds. */
                                time: number;
                            }[];
                            /** @description Which calls are answered. */
                            features: {
                                [key: string]: unknown;
                            };
                            /** @description Time that the answer took, milliseconds. */
                            query_time_ms: number;
                            /** @description What the answer covers. */
                            coverage: {
                                /** @description First indexed block: nothing is known of earlier ones. Null before the first. */
                                first_block: number | null;
                                /** @description Its time. */
                                first_block_time: string | null;
                                /** @description Contracts whose transfers are indexed; `*`: every token contract of the standard layout. */
                                contracts: string[];
                                /** @description Names of the actions. */
                                actions: string[];
                                /** @description Members of Hyperion’s actions that are not indexed. */
                                omitted: string[];
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/account/{account}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open positions of an account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Position id. */
                            id: number;
                            /** @description Owner. */
                            owner: string;
                            /** @description Pool id. */
                            pool: number;
                            /** @description Lower tick of the range. */
                            tickLower: number;
                            /** @description Upper tick of the range. */
                            tickUpper: number;
                            /** @description Liquidity. */
                            liquidity: string;
                            /** @description Fee growth in A inside the range at the last update, Q64.64. */
                            feeGrowthInsideALastX64: string;
                            /** @description Fee growth in B inside the range at the last update, Q64.64. */
                            feeGrowthInsideBLastX64: string;
                            /** @description Whether the current price is inside the range. */
                            inRange: boolean;
                            /** @description Tokens A now, asset string. */
                            amountA: string;
                            /** @description Tokens B now, asset string. */
                            amountB: string;
                            /** @description Fees in A that are not yet collected, asset string. */
                            feesA: string;
                            /** @description Fees in B that are not yet collected, asset string. */
                            feesB: string;
                            /** @description Tokens and fees that are not yet collected, USD. */
                            totalValue: number;
                            /** @description Fees that are not yet collected, USD. */
                            totalFeesUSD: number;
                            /** @description Deposits less withdrawals, USD, each valued when it was made. */
                            depositedUSDTotal: number;
                            collectedFees: {
                                /** @description Fees in A collected so far. */
                                tokenA: number;
                                /** @description Fees in B collected so far. */
                                tokenB: number;
                                /** @description The same in USD, valued when collected. */
                                inUSD: number;
                                /** @description ISO 8601; null when never collected. */
                                lastCollectTime: string | null;
                            };
                            /** @description Fees earned, collected and not, USD. */
                            pNl: number;
                            /** @description All liquidity withdrawn. */
                            closed: boolean;
                            /** @description Unix seconds, or null. */
                            lockedUntil: number | null;
                            /** @description Locked now: cannot be withdrawn. */
                            isLocked: boolean;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/account/{account}/deals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Order-book trades of an account, newest first
         * @description `from` and `to` count only together.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only this market. */
                    market?: number;
                    /** @description Unix seconds, inclusive; only together with `to`. */
                    from?: number;
                    /** @description Unix seconds, inclusive; only together with `from`. */
                    to?: number;
                    /** @description Maximum number of rows. Default 500, maximum 10000. */
                    limit?: number;
                    /** @description Rows to leave out. */
                    skip?: number;
                    /** @description Goes on where a page ended: from the `Link` header of that page. Neither loses nor repeats a row while blocks arrive. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the action. */
                            _id: string;
                            /** @description Transaction. */
                            trx_id: string;
                            /** @description ISO 8601. */
                            time: string;
                            /** @description Market. */
                            market: number;
                            /** @description `buymatch`: a buy order took the trade; `sellmatch`: a sell order took it. */
                            type: string;
                            /** @description Target per base. */
                            unit_price: number;
                            /** @description Account of the taking order. */
                            bidder: string;
                            /** @description Account of the resting order. */
                            asker: string;
                            /** @description What the bidder paid. */
                            bid: number;
                            /** @description What the bidder received. */
                            ask: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/account/{account}/positions-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to positions of an account, newest first
         * @description Liquidity added (`mint`) and removed (`burn`), and fees collected, with the USD prices of the time.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of rows. Default 200, maximum 10000. */
                    limit?: number;
                    /** @description Rows to leave out. */
                    skip?: number;
                    /** @description Goes on where a page ended: from the `Link` header of that page. Neither loses nor repeats a row while blocks arrive. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the action. */
                            _id: string;
                            /** @description Transaction. */
                            trx_id: string;
                            /** @description ISO 8601. */
                            time: string;
                            /** @description Position. */
                            id: number;
                            /** @description Pool. */
                            pool: number;
                            /** @description Owner of the position. */
                            owner: string;
                            /** @description `mint`, `burn` or `collect`. */
                            type: string;
                            /** @description Tokens A added, removed or collected. */
                            tokenA: number;
                            /** @description Tokens B added, removed or collected. */
                            tokenB: number;
                            /** @description USD price of A at that time; 0 when unknown. */
                            tokenAUSDPrice: number;
                            /** @description USD price of B at that time; 0 when unknown. */
                            tokenBUSDPrice: number;
                            /** @description Value in USD at that time; a token without a price counts 0. */
                            totalUSDValue: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/account/{account}/swap-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Swaps that an account sent or received, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of rows. Default 200, maximum 10000. */
                    limit?: number;
                    /** @description Rows to leave out. */
                    skip?: number;
                    /** @description Goes on where a page ended: from the `Link` header of that page. Neither loses nor repeats a row while blocks arrive. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description Account. It is an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end. */
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Global sequence of the action. */
                            _id: string;
                            /** @description Transaction. */
                            trx_id: string;
                            /** @description ISO 8601. */
                            time: string;
                            /** @description Pool. */
                            pool: number;
                            /** @description Account that paid. */
                            sender: string;
                            /** @description Account that received. */
                            recipient: string;
                            /** @description Square-root price after the swap, Q64.64. */
                            sqrtPriceX64: string;
                            /** @description Value in USD at that time; 0 when unknown. */
                            totalUSDVolume: number;
                            /** @description Tokens A: positive entered the pool, negative left it. */
                            tokenA: number;
                            /** @description Tokens B: positive entered the pool, negative left it. */
                            tokenB: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All tokens with their prices
         * @description Prices are decimal texts of 8 significant digits, in system tokens and in USD. Order: the system token, tokens with a price by liquidity, the others.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            /** @description Token that prices are counted in. */
                            systemToken: string;
                            /** @description USD for one system token; null while unknown. */
                            systemUsdPrice: string | null;
                            /** @description The system token, priced tokens by liquidity, the others. */
                            tokens: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description System tokens for one token; null without a price. */
                                price: string | null;
                                /** @description USD for one token; null without a price, or while the system token has none. */
                                priceUsd: string | null;
                                /** @description Value of the weakest pool on the price’s path, system tokens; null for the system token. */
                                liquidity: string | null;
                                /** @description The same in USD. */
                                liquidityUsd: string | null;
                                /** @description Pools that trade it. */
                                pools: number;
                                /** @description Order-book markets that trade it. */
                                orderbooks: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A token with its price */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            token: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description System tokens for one token; null without a price. */
                                price: string | null;
                                /** @description USD for one token; null without a price, or while the system token has none. */
                                priceUsd: string | null;
                                /** @description Value of the weakest pool on the price’s path, system tokens; null for the system token. */
                                liquidity: string | null;
                                /** @description The same in USD. */
                                liquidityUsd: string | null;
                                /** @description Pools that trade it. */
                                pools: number;
                                /** @description Order-book markets that trade it. */
                                orderbooks: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The price of a pair
         * @description `mid` comes from the prices of both tokens. With `amount`, `sell` sells so much of the base and `buy` buys it back with what that brings: the gap of their prices is the cost of a round trip of that size.
         */
        get: {
            parameters: {
                query: {
                    /** @description Token id of the base. */
                    base: string;
                    /** @description Token id of the quote. */
                    quote: string;
                    /** @description Base tokens to sell, and to buy back with what they bring. */
                    amount?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            base: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            quote: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            /** @description Quote per base by the prices of both tokens; null when either has none. */
                            mid: string | null;
                            /** @description Null when no route can trade the whole amount. */
                            sell?: {
                                /** @description What is sent. */
                                input: string;
                                /** @description What comes out. */
                                output: string;
                                /** @description Quote per base as executed, fees included. */
                                price: string;
                                /** @description Percent below the spot prices of the venues. */
                                priceImpact: string;
                            } | null;
                            /** @description Null when no route can trade the whole amount. */
                            buy?: {
                                /** @description What is sent. */
                                input: string;
                                /** @description What comes out. */
                                output: string;
                                /** @description Quote per base as executed, fees included. */
                                price: string;
                                /** @description Percent below the spot prices of the venues. */
                                priceImpact: string;
                            } | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/depth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much of a pair can be traded at levels of price impact
         * @description For each level, about the largest trade whose average price, fees included, is at most so many percent below the reference; accurate to about 1 percent. Kept for ten seconds for each pair and levels.
         */
        get: {
            parameters: {
                query: {
                    /** @description Token id of what is sold. */
                    input: string;
                    /** @description Token id of what is bought. */
                    output: string;
                    /** @description Up to 10 levels in percent, from 0 to 100, separated by commas. Default `0.5,1,2,5`. */
                    impact?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            input: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            output: {
                                /** @description `<symbol>-<contract>`, lower case. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Token contract. */
                                contract: string;
                                /** @description Precision. */
                                decimals: number;
                            };
                            /** @description Output per input; null when there is no route. */
                            reference: string | null;
                            /**
                             * @description The pair’s mid, or the price of a small trade.
                             * @enum {unknown}
                             */
                            referenceKind: "mid" | "smallTrade";
                            /** @description In the order asked. */
                            levels: {
                                /** @description Percent below the reference. */
                                impact: number;
                                /** @description Largest trade; null when even a small one is worse. */
                                input: string | null;
                                /** @description What it brings. */
                                output: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** AMM pools as of the last block */
        get: {
            parameters: {
                query?: {
                    /** @description Token id: only what trades it. */
                    token?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            pools: {
                                /** @description Pool id. */
                                id: number;
                                tokenA: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                tokenB: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Percent. */
                                fee: string;
                                /** @description Tick spacing. */
                                tickSpacing: number;
                                /** @description Whether it can be traded. */
                                active: boolean;
                                /** @description B per A. */
                                price: string;
                                /** @description Square-root price, Q64.64. */
                                sqrtPriceX64: string;
                                /** @description Current tick. */
                                tick: number;
                                /** @description Liquidity in range. */
                                liquidity: string;
                                /** @description Tokens A that it holds. */
                                reserveA: string;
                                /** @description Tokens B that it holds. */
                                reserveB: string;
                                /** @description What it holds, system tokens; null unless both tokens have a price. */
                                tvl: string | null;
                                /** @description The same in USD. */
                                tvlUsd: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/pools/{poolId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An AMM pool */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            pool: {
                                /** @description Pool id. */
                                id: number;
                                tokenA: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                tokenB: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Percent. */
                                fee: string;
                                /** @description Tick spacing. */
                                tickSpacing: number;
                                /** @description Whether it can be traded. */
                                active: boolean;
                                /** @description B per A. */
                                price: string;
                                /** @description Square-root price, Q64.64. */
                                sqrtPriceX64: string;
                                /** @description Current tick. */
                                tick: number;
                                /** @description Liquidity in range. */
                                liquidity: string;
                                /** @description Tokens A that it holds. */
                                reserveA: string;
                                /** @description Tokens B that it holds. */
                                reserveB: string;
                                /** @description What it holds, system tokens; null unless both tokens have a price. */
                                tvl: string | null;
                                /** @description The same in USD. */
                                tvlUsd: string | null;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/orderbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Order-book markets without their orders
         * @description Base and quote as the contract names them: the reverse of the tickers.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Token id: only what trades it. */
                    token?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            orderbooks: {
                                /** @description Market id. */
                                id: number;
                                base: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                quote: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Percent. */
                                fee: string;
                                /** @description Whether trading is frozen. */
                                frozen: boolean;
                                /** @description Best buy order, base per one quote; null without one. */
                                bestBid: string | null;
                                /** @description Best sell order, base per one quote; null without one. */
                                bestAsk: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/market/orderbooks/{marketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An order-book market with its best orders
         * @description With the best 20 orders a side. Prices are base per one quote, as the contract names them.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Market id. */
                    marketId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Last block reflected. */
                            block: number;
                            /** @description Base and quote as the contract names them: the reverse of the tickers. */
                            orderbook: {
                                /** @description Market id. */
                                id: number;
                                base: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                quote: {
                                    /** @description `<symbol>-<contract>`, lower case. */
                                    id: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Token contract. */
                                    contract: string;
                                    /** @description Precision. */
                                    decimals: number;
                                };
                                /** @description Percent. */
                                fee: string;
                                /** @description Whether trading is frozen. */
                                frozen: boolean;
                                /** @description Best buy order, base per one quote; null without one. */
                                bestBid: string | null;
                                /** @description Best sell order, base per one quote; null without one. */
                                bestAsk: string | null;
                                /** @description Best 20 buy orders, highest price first. */
                                bids: {
                                    /** @description Base per one quote. */
                                    price: string;
                                    /** @description Quote tokens. */
                                    amount: string;
                                }[];
                                /** @description Best 20 sell orders, lowest price first. */
                                asks: {
                                    /** @description Base per one quote. */
                                    price: string;
                                    /** @description Quote tokens. */
                                    amount: string;
                                }[];
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/analytics/global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The exchange over a period of whole hours
         * @description TVL is that of the last hourly snapshot; volumes, fees and counts are sums over the period.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Period: 1D (the default, also for anything else), 1W or 1M. */
                    resolution?: "1D" | "1W" | "1M";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The chain; of a point its start, ISO 8601. */
                            _id: string;
                            /** @description USD in pools and open orders. */
                            totalValueLocked: number;
                            /** @description USD in pools. */
                            swapValueLocked: number;
                            /** @description USD in open orders. */
                            spotValueLocked: number;
                            /** @description USD of swaps. */
                            swapTradingVolume: number;
                            /** @description USD of deals. */
                            spotTradingVolume: number;
                            /** @description USD of both. */
                            totalTradingVolume: number;
                            /** @description USD. */
                            swapFees: number;
                            /** @description USD. */
                            spotFees: number;
                            /** @description Distinct accounts in a day, on average over the period. */
                            dailyActiveUsers: number;
                            /** @description Swaps. */
                            swapTransactions: number;
                            /** @description Deals. */
                            spotTransactions: number;
                            /** @description Pools. */
                            totalLiquidityPools: number;
                            /** @description Order-book markets. */
                            totalSpotPairs: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/analytics/volume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Volume and fees of the whole hours of a range
         * @description Meant for one UTC day at a time. `buckets` is the number of complete hours in the range: 24 for a full day.
         */
        get: {
            parameters: {
                query: {
                    /** @description Unix seconds. */
                    start_time: number;
                    /** @description Unix seconds, later than the start. */
                    end_time: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description As asked. */
                            start_time: number;
                            /** @description As asked. */
                            end_time: number;
                            /** @description USD. */
                            volume: number;
                            /** @description USD. */
                            fees: number;
                            /** @description USD. */
                            swapVolume: number;
                            /** @description USD. */
                            spotVolume: number;
                            /** @description USD. */
                            swapFees: number;
                            /** @description USD. */
                            spotFees: number;
                            /** @description Hours that lie wholly in the range and are over: 24 for a full day. */
                            buckets: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/analytics/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The exchange hour by hour, or day by day, oldest first
         * @description One point an hour, for `ALL` one a day; oldest first.
         */
        get: {
            parameters: {
                query: {
                    /** @description Period of hours; ALL: every day. */
                    resolution: "1D" | "1W" | "1M" | "ALL";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The chain; of a point its start, ISO 8601. */
                            _id: string;
                            /** @description USD in pools and open orders. */
                            totalValueLocked: number;
                            /** @description USD in pools. */
                            swapValueLocked: number;
                            /** @description USD in open orders. */
                            spotValueLocked: number;
                            /** @description USD of swaps. */
                            swapTradingVolume: number;
                            /** @description USD of deals. */
                            spotTradingVolume: number;
                            /** @description USD of both. */
                            totalTradingVolume: number;
                            /** @description USD. */
                            swapFees: number;
                            /** @description USD. */
                            spotFees: number;
                            /** @description Distinct accounts in a day, on average over the period. */
                            dailyActiveUsers: number;
                            /** @description Swaps. */
                            swapTransactions: number;
                            /** @description Deals. */
                            spotTransactions: number;
                            /** @description Pools. */
                            totalLiquidityPools: number;
                            /** @description Order-book markets. */
                            totalSpotPairs: number;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/global/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * TVL, volume and fees of the exchange, bucket by bucket, oldest first
         * @description Every bucket of the window, oldest first; the last one is in progress. A bucket without a known TVL has that of the one before it. A bucket without trades has volume and fees 0. Weeks begin on Monday, UTC.
         */
        get: {
            parameters: {
                query?: {
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description 1h, 4h, 1d (the default, also for anything else) or 1w. */
                    resolution?: "1h" | "4h" | "1d" | "1w";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            charts: {
                                tvl: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                volume: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                fees: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                swapVolume: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                spotVolume: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                swapFees: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                spotFees: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                            };
                            items: {
                                /** @description Start of the point, ISO 8601. */
                                t: string;
                                /** @description USD. */
                                tvl: number;
                                /** @description USD. */
                                volume: number;
                                /** @description USD. */
                                fees: number;
                                /** @description USD. */
                                swapVolume: number;
                                /** @description USD. */
                                spotVolume: number;
                                /** @description USD. */
                                swapFees: number;
                                /** @description USD. */
                                spotFees: number;
                                /** @description Trades whose USD value is not known: they are not in the volumes and fees. */
                                withoutUsd: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The exchange at a glance
         * @description Sums and charts of the window, and the ten top pools, tokens and markets. All values are USD.
         */
        get: {
            parameters: {
                query?: {
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description Further blocks, separated by commas: `incentives`, `tx`. */
                    include?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            stats: {
                                tvl: number;
                                volume: number;
                                fees: number;
                                swapVolume: number;
                                spotVolume: number;
                                swapFees: number;
                                spotFees: number;
                                swapTx: number;
                                spotTx: number;
                                dauAvg: number;
                                poolsTotal: number;
                                spotPairsTotal: number;
                                swapTxWithoutUsd: number;
                                spotTxWithoutUsd: number;
                                poolsWithoutUsd: number;
                                ordersWithoutUsd: number;
                            };
                            charts: {
                                tvl: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                volume: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                fees: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                swapVolume: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                spotVolume: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                swapFees: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                                spotFees: {
                                    /** @description Start, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    v: number;
                                }[];
                            } & {
                                items: {
                                    /** @description Start of the point, ISO 8601. */
                                    t: string;
                                    /** @description USD. */
                                    tvl: number;
                                    /** @description USD. */
                                    volume: number;
                                    /** @description USD. */
                                    fees: number;
                                    /** @description USD. */
                                    swapVolume: number;
                                    /** @description USD. */
                                    spotVolume: number;
                                    /** @description USD. */
                                    swapFees: number;
                                    /** @description USD. */
                                    spotFees: number;
                                    /** @description Trades whose USD value is not known: they are not in the volumes and fees. */
                                    withoutUsd: number;
                                }[];
                            };
                            topPools: {
                                /** @description Pool id. */
                                id: number;
                                /** @description Hundredths of a basis point. */
                                fee: number;
                                tokenA: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                tokenB: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                price: {
                                    /** @description A for one B. */
                                    aPerB: number;
                                    /** @description B for one A. */
                                    bPerA: number;
                                    /** @description Percent, of B per A. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD. */
                                    tvl: number;
                                };
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                apr: {
                                    /** @description Days of fees from which the yield is computed. */
                                    periodDays: number;
                                    /** @description Percent a year. */
                                    fee: number;
                                    /** @description Percent a year of active farms; null unless farms are asked for and there are any. */
                                    farm: number | null;
                                    /** @description Both. */
                                    total: number;
                                };
                                tx?: {
                                    /** @description In the window. */
                                    swaps: number;
                                };
                                incentives?: {
                                    /** @description Id of the farm. */
                                    incentiveId: number;
                                    /** @description Pool id. */
                                    poolId: number;
                                    reward: {
                                        /** @description Contract of the reward. */
                                        contract: string;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Decimals. */
                                        decimals: number;
                                        /** @description Tokens of reward. */
                                        quantity: number;
                                    };
                                    /** @description Token id of the reward. */
                                    rewardTokenId: string;
                                    /** @description Tokens a day. */
                                    rewardPerDay: number;
                                    /** @description USD a day, of a trusted token. */
                                    rewardPerDayUSD: number;
                                    /** @description Unix seconds. */
                                    periodFinish: number;
                                    /** @description Whether it has ended. */
                                    isFinished: boolean;
                                    /** @description Days until it ends, rounded up. */
                                    daysRemain: number;
                                    /** @description Staked share of the pool, percent. */
                                    utilizationPct: number;
                                    /** @description Yearly reward in percent of the staked value. */
                                    apr: number;
                                }[];
                            }[];
                            topTokens: {
                                /** @description Token id. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Contract. */
                                contract: string;
                                /** @description Decimals. */
                                decimals: number;
                                /** @description Display name; null while none is known. */
                                name: string | null;
                                /** @description Address of the logo. */
                                logo: string;
                                price: {
                                    /** @description USD; 0 without a price. */
                                    usd: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD of the token in pools. */
                                    tvl: number;
                                    locked: {
                                        /** @description Tokens in locked positions. */
                                        amount: number;
                                        /** @description USD. */
                                        usd: number;
                                        /** @description Positions. */
                                        positions: number;
                                        /** @description Percent of tvl. */
                                        share: number;
                                        /** @description Unix seconds; null without a locked position. */
                                        nextUnlockAt: number | null;
                                        /** @description Unix seconds. */
                                        lastUnlockAt: number | null;
                                    };
                                };
                                volume: {
                                    /** @description USD. */
                                    swap: number;
                                    /** @description USD. */
                                    spot: number;
                                    /** @description USD. */
                                    total: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                pairs: {
                                    /** @description Pools. */
                                    pools: number;
                                    /** @description Order-book markets. */
                                    spots: number;
                                };
                                tx: {
                                    /** @description Swaps. */
                                    swap: number;
                                    /** @description Deals. */
                                    spot: number;
                                    /** @description Both. */
                                    total: number;
                                };
                                holders: {
                                    /** @description Accounts with a balance; 0 while they are not counted. */
                                    count: number;
                                    /** @description Change in one hour. */
                                    change1h: number | null;
                                    /** @description Change in six hours. */
                                    change6h: number | null;
                                    /** @description Change in one day. */
                                    change24h: number | null;
                                    /** @description Whether there may be more. */
                                    truncated: boolean;
                                };
                                /** @description First seen, ISO 8601. */
                                createdAt: string;
                                scores: {
                                    /** @description 0 to 100. */
                                    total: number;
                                    details?: unknown;
                                };
                            }[];
                            topSpotPairs: {
                                /** @description Market id. */
                                id: number;
                                base: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                quote: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                /** @description Fee in percent of a trade: 0.2 is 0.2 %. */
                                feePercent: number;
                                price: {
                                    /** @description Quote per base. */
                                    last: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                /** @description Best ask minus best bid in percent of the last price; null if one of the three is missing. */
                                spread: number | null;
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                orders: {
                                    /** @description USD of buy orders within 10 percent of the middle price. */
                                    bidDepthUsd: number;
                                    /** @description The same of sell orders. */
                                    askDepthUsd: number;
                                };
                                tx: {
                                    /** @description In the window. */
                                    matches: number;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pools by volume, value or yield
         * @description All values are USD. A page or limit out of range is brought into it: at most 500 items a page. `apr` is annualised over `periodDays` days; farm rewards are in it with `include=incentives`, swap counts with `include=tx`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description volume (the default), tvl or apr. */
                    sort?: "volume" | "tvl" | "apr";
                    /** @description Symbol, contract, token id or pool id; two words, or A/B, for a pair. */
                    search?: string;
                    /** @description Only pools in which this account has a position. */
                    account?: string;
                    /** @description Further blocks, separated by commas: `incentives`, `tx`. */
                    include?: string;
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description Page, from 1. */
                    page?: number;
                    /** @description Maximum number of items. Default 50, maximum 500. */
                    limit?: number;
                    /** @description desc (the default) or asc. */
                    order?: "asc" | "desc";
                    /** @description Leave out what has a token on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            items: {
                                /** @description Pool id. */
                                id: number;
                                /** @description Hundredths of a basis point. */
                                fee: number;
                                tokenA: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                tokenB: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                price: {
                                    /** @description A for one B. */
                                    aPerB: number;
                                    /** @description B for one A. */
                                    bPerA: number;
                                    /** @description Percent, of B per A. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD. */
                                    tvl: number;
                                };
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                apr: {
                                    /** @description Days of fees from which the yield is computed. */
                                    periodDays: number;
                                    /** @description Percent a year. */
                                    fee: number;
                                    /** @description Percent a year of active farms; null unless farms are asked for and there are any. */
                                    farm: number | null;
                                    /** @description Both. */
                                    total: number;
                                };
                                tx?: {
                                    /** @description In the window. */
                                    swaps: number;
                                };
                                incentives?: {
                                    /** @description Id of the farm. */
                                    incentiveId: number;
                                    /** @description Pool id. */
                                    poolId: number;
                                    reward: {
                                        /** @description Contract of the reward. */
                                        contract: string;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Decimals. */
                                        decimals: number;
                                        /** @description Tokens of reward. */
                                        quantity: number;
                                    };
                                    /** @description Token id of the reward. */
                                    rewardTokenId: string;
                                    /** @description Tokens a day. */
                                    rewardPerDay: number;
                                    /** @description USD a day, of a trusted token. */
                                    rewardPerDayUSD: number;
                                    /** @description Unix seconds. */
                                    periodFinish: number;
                                    /** @description Whether it has ended. */
                                    isFinished: boolean;
                                    /** @description Days until it ends, rounded up. */
                                    daysRemain: number;
                                    /** @description Staked share of the pool, percent. */
                                    utilizationPct: number;
                                    /** @description Yearly reward in percent of the staked value. */
                                    apr: number;
                                }[];
                            }[];
                            /** @description Page. */
                            page: number;
                            /** @description Maximum number of items of a page. */
                            limit: number;
                            /** @description Items of all pages. */
                            total: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/pools/{poolId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One pool with value, volume and yield */
        get: {
            parameters: {
                query?: {
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description Further blocks, separated by commas: `incentives`, `tx`. */
                    include?: string;
                    /** @description With include=incentives: active (the default), finished or all. */
                    incentives?: "active" | "finished" | "all";
                };
                header?: never;
                path: {
                    /** @description Pool id. */
                    poolId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            pool: {
                                /** @description Pool id. */
                                id: number;
                                /** @description Hundredths of a basis point. */
                                fee: number;
                                tokenA: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                tokenB: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                price: {
                                    /** @description A for one B. */
                                    aPerB: number;
                                    /** @description B for one A. */
                                    bPerA: number;
                                    /** @description Percent, of B per A. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD. */
                                    tvl: number;
                                };
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                apr: {
                                    /** @description Days of fees from which the yield is computed. */
                                    periodDays: number;
                                    /** @description Percent a year. */
                                    fee: number;
                                    /** @description Percent a year of active farms; null unless farms are asked for and there are any. */
                                    farm: number | null;
                                    /** @description Both. */
                                    total: number;
                                };
                                tx?: {
                                    /** @description In the window. */
                                    swaps: number;
                                };
                                incentives?: {
                                    /** @description Id of the farm. */
                                    incentiveId: number;
                                    /** @description Pool id. */
                                    poolId: number;
                                    reward: {
                                        /** @description Contract of the reward. */
                                        contract: string;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Decimals. */
                                        decimals: number;
                                        /** @description Tokens of reward. */
                                        quantity: number;
                                    };
                                    /** @description Token id of the reward. */
                                    rewardTokenId: string;
                                    /** @description Tokens a day. */
                                    rewardPerDay: number;
                                    /** @description USD a day, of a trusted token. */
                                    rewardPerDayUSD: number;
                                    /** @description Unix seconds. */
                                    periodFinish: number;
                                    /** @description Whether it has ended. */
                                    isFinished: boolean;
                                    /** @description Days until it ends, rounded up. */
                                    daysRemain: number;
                                    /** @description Staked share of the pool, percent. */
                                    utilizationPct: number;
                                    /** @description Yearly reward in percent of the staked value. */
                                    apr: number;
                                }[];
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/spot-pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Order-book markets by volume or price
         * @description All values are USD. A page or limit out of range is brought into it: at most 500 items a page. Prices are quote per base.
         */
        get: {
            parameters: {
                query?: {
                    /** @description volume (the default) or price. */
                    sort?: "volume" | "price";
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description Page, from 1. */
                    page?: number;
                    /** @description Maximum number of items. Default 50, maximum 500. */
                    limit?: number;
                    /** @description desc (the default) or asc. */
                    order?: "asc" | "desc";
                    /** @description Leave out what has a token on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            items: {
                                /** @description Market id. */
                                id: number;
                                base: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                quote: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                /** @description Fee in percent of a trade: 0.2 is 0.2 %. */
                                feePercent: number;
                                price: {
                                    /** @description Quote per base. */
                                    last: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                /** @description Best ask minus best bid in percent of the last price; null if one of the three is missing. */
                                spread: number | null;
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                orders: {
                                    /** @description USD of buy orders within 10 percent of the middle price. */
                                    bidDepthUsd: number;
                                    /** @description The same of sell orders. */
                                    askDepthUsd: number;
                                };
                                tx: {
                                    /** @description In the window. */
                                    matches: number;
                                };
                            }[];
                            /** @description Page. */
                            page: number;
                            /** @description Maximum number of items of a page. */
                            limit: number;
                            /** @description Items of all pages. */
                            total: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/spot-pairs/{marketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One order-book market with price, spread and depth */
        get: {
            parameters: {
                query?: {
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                };
                header?: never;
                path: {
                    /** @description Market id. */
                    marketId: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            market: {
                                /** @description Market id. */
                                id: number;
                                base: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                quote: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                /** @description Fee in percent of a trade: 0.2 is 0.2 %. */
                                feePercent: number;
                                price: {
                                    /** @description Quote per base. */
                                    last: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                /** @description Best ask minus best bid in percent of the last price; null if one of the three is missing. */
                                spread: number | null;
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                orders: {
                                    /** @description USD of buy orders within 10 percent of the middle price. */
                                    bidDepthUsd: number;
                                    /** @description The same of sell orders. */
                                    askDepthUsd: number;
                                };
                                tx: {
                                    /** @description In the window. */
                                    matches: number;
                                };
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens by score, volume, value, locked value, holders, age, trades or price
         * @description All values are USD. A page or limit out of range is brought into it: at most 500 items a page.
         */
        get: {
            parameters: {
                query?: {
                    /** @description score (the default), volume, tvl, locked, holders, age, tx or price. */
                    sort?: "score" | "volume" | "tvl" | "locked" | "holders" | "age" | "tx" | "price";
                    /** @description Symbol, contract or token id. */
                    search?: string;
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description Page, from 1. */
                    page?: number;
                    /** @description Maximum number of items. Default 50, maximum 500. */
                    limit?: number;
                    /** @description desc (the default) or asc. */
                    order?: "asc" | "desc";
                    /** @description Leave out what has a token on the scam lists. */
                    hide_scam?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            items: {
                                /** @description Token id. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Contract. */
                                contract: string;
                                /** @description Decimals. */
                                decimals: number;
                                /** @description Display name; null while none is known. */
                                name: string | null;
                                /** @description Address of the logo. */
                                logo: string;
                                price: {
                                    /** @description USD; 0 without a price. */
                                    usd: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD of the token in pools. */
                                    tvl: number;
                                    locked: {
                                        /** @description Tokens in locked positions. */
                                        amount: number;
                                        /** @description USD. */
                                        usd: number;
                                        /** @description Positions. */
                                        positions: number;
                                        /** @description Percent of tvl. */
                                        share: number;
                                        /** @description Unix seconds; null without a locked position. */
                                        nextUnlockAt: number | null;
                                        /** @description Unix seconds. */
                                        lastUnlockAt: number | null;
                                    };
                                };
                                volume: {
                                    /** @description USD. */
                                    swap: number;
                                    /** @description USD. */
                                    spot: number;
                                    /** @description USD. */
                                    total: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                pairs: {
                                    /** @description Pools. */
                                    pools: number;
                                    /** @description Order-book markets. */
                                    spots: number;
                                };
                                tx: {
                                    /** @description Swaps. */
                                    swap: number;
                                    /** @description Deals. */
                                    spot: number;
                                    /** @description Both. */
                                    total: number;
                                };
                                holders: {
                                    /** @description Accounts with a balance; 0 while they are not counted. */
                                    count: number;
                                    /** @description Change in one hour. */
                                    change1h: number | null;
                                    /** @description Change in six hours. */
                                    change6h: number | null;
                                    /** @description Change in one day. */
                                    change24h: number | null;
                                    /** @description Whether there may be more. */
                                    truncated: boolean;
                                };
                                /** @description First seen, ISO 8601. */
                                createdAt: string;
                                scores: {
                                    /** @description 0 to 100. */
                                    total: number;
                                    details?: unknown;
                                };
                            }[];
                            /** @description Page. */
                            page: number;
                            /** @description Maximum number of items of a page. */
                            limit: number;
                            /** @description Items of all pages. */
                            total: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token with its pools and order-book markets
         * @description A token with all parts of its score, its project if one is known, and every pool and market that trades it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description 24h, 7d, 30d (the default, also for anything else), 90d or all. */
                    window?: "24h" | "7d" | "30d" | "90d" | "all";
                    /** @description Leave out scams. */
                    hide_scam?: boolean;
                };
                header?: never;
                path: {
                    /** @description Token id. */
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            token: {
                                /** @description Token id. */
                                id: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Contract. */
                                contract: string;
                                /** @description Decimals. */
                                decimals: number;
                                /** @description Display name; null while none is known. */
                                name: string | null;
                                /** @description Address of the logo. */
                                logo: string;
                                price: {
                                    /** @description USD; 0 without a price. */
                                    usd: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD of the token in pools. */
                                    tvl: number;
                                    locked: {
                                        /** @description Tokens in locked positions. */
                                        amount: number;
                                        /** @description USD. */
                                        usd: number;
                                        /** @description Positions. */
                                        positions: number;
                                        /** @description Percent of tvl. */
                                        share: number;
                                        /** @description Unix seconds; null without a locked position. */
                                        nextUnlockAt: number | null;
                                        /** @description Unix seconds. */
                                        lastUnlockAt: number | null;
                                    };
                                };
                                volume: {
                                    /** @description USD. */
                                    swap: number;
                                    /** @description USD. */
                                    spot: number;
                                    /** @description USD. */
                                    total: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                pairs: {
                                    /** @description Pools. */
                                    pools: number;
                                    /** @description Order-book markets. */
                                    spots: number;
                                };
                                tx: {
                                    /** @description Swaps. */
                                    swap: number;
                                    /** @description Deals. */
                                    spot: number;
                                    /** @description Both. */
                                    total: number;
                                };
                                holders: {
                                    /** @description Accounts with a balance; 0 while they are not counted. */
                                    count: number;
                                    /** @description Change in one hour. */
                                    change1h: number | null;
                                    /** @description Change in six hours. */
                                    change6h: number | null;
                                    /** @description Change in one day. */
                                    change24h: number | null;
                                    /** @description Whether there may be more. */
                                    truncated: boolean;
                                };
                                /** @description First seen, ISO 8601. */
                                createdAt: string;
                                scores: {
                                    /** @description 0 to 100. */
                                    total: number;
                                    details?: unknown;
                                };
                            } & {
                                fundamental: unknown;
                            };
                            pools: {
                                /** @description Pool id. */
                                id: number;
                                /** @description Hundredths of a basis point. */
                                fee: number;
                                tokenA: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                tokenB: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    /** @description Symbol. */
                                    symbol: string;
                                    /** @description Decimals. */
                                    decimals: number;
                                    /** @description Tokens that the pool holds. */
                                    quantity: number;
                                };
                                price: {
                                    /** @description A for one B. */
                                    aPerB: number;
                                    /** @description B for one A. */
                                    bPerA: number;
                                    /** @description Percent, of B per A. */
                                    change24h: number;
                                };
                                liquidity: {
                                    /** @description USD. */
                                    tvl: number;
                                };
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                apr: {
                                    /** @description Days of fees from which the yield is computed. */
                                    periodDays: number;
                                    /** @description Percent a year. */
                                    fee: number;
                                    /** @description Percent a year of active farms; null unless farms are asked for and there are any. */
                                    farm: number | null;
                                    /** @description Both. */
                                    total: number;
                                };
                                tx?: {
                                    /** @description In the window. */
                                    swaps: number;
                                };
                                incentives?: {
                                    /** @description Id of the farm. */
                                    incentiveId: number;
                                    /** @description Pool id. */
                                    poolId: number;
                                    reward: {
                                        /** @description Contract of the reward. */
                                        contract: string;
                                        /** @description Symbol. */
                                        symbol: string;
                                        /** @description Decimals. */
                                        decimals: number;
                                        /** @description Tokens of reward. */
                                        quantity: number;
                                    };
                                    /** @description Token id of the reward. */
                                    rewardTokenId: string;
                                    /** @description Tokens a day. */
                                    rewardPerDay: number;
                                    /** @description USD a day, of a trusted token. */
                                    rewardPerDayUSD: number;
                                    /** @description Unix seconds. */
                                    periodFinish: number;
                                    /** @description Whether it has ended. */
                                    isFinished: boolean;
                                    /** @description Days until it ends, rounded up. */
                                    daysRemain: number;
                                    /** @description Staked share of the pool, percent. */
                                    utilizationPct: number;
                                    /** @description Yearly reward in percent of the staked value. */
                                    apr: number;
                                }[];
                            }[];
                            spotPairs: {
                                /** @description Market id. */
                                id: number;
                                base: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                quote: {
                                    /** @description Token id. */
                                    id: string;
                                    /** @description Contract. */
                                    contract: string;
                                    symbol: {
                                        /** @description Symbol. */
                                        name: string;
                                        /** @description Decimals. */
                                        precision: number;
                                    };
                                    /** @description `SYMBOL@contract`. */
                                    str: string;
                                };
                                /** @description Fee in percent of a trade: 0.2 is 0.2 %. */
                                feePercent: number;
                                price: {
                                    /** @description Quote per base. */
                                    last: number;
                                    /** @description Percent. */
                                    change24h: number;
                                };
                                /** @description Best ask minus best bid in percent of the last price; null if one of the three is missing. */
                                spread: number | null;
                                volume: {
                                    /** @description USD in the window. */
                                    usd: number;
                                    /** @description Trades in the window whose USD value is not known: they are not in the sums. */
                                    withoutUsd: number;
                                };
                                orders: {
                                    /** @description USD of buy orders within 10 percent of the middle price. */
                                    bidDepthUsd: number;
                                    /** @description The same of sell orders. */
                                    askDepthUsd: number;
                                };
                                tx: {
                                    /** @description In the window. */
                                    matches: number;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/analytics/bans/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts banned by the contracts of the exchange */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            meta: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Time of the server, Unix milliseconds. */
                                ts: number;
                                /** @description Window in force. */
                                window: string;
                                /** @description System token. */
                                baseToken: string;
                                /** @description Token worth one USD. */
                                usdToken: string | null;
                            };
                            contracts: {
                                /** @description Account; null when there is none. */
                                dex: string | null;
                                /** @description Account; null when there is none. */
                                swap: string | null;
                                /** @description Account; null when there is none. */
                                otc: string | null;
                            };
                            totals: {
                                /** @description Accounts banned anywhere. */
                                unique: number;
                                /** @description By the order books. */
                                dex: number;
                                /** @description By the pools. */
                                swap: number;
                                /** @description By the OTC contract. */
                                otc: number;
                            };
                            bySource: {
                                dex: string[];
                                swap: string[];
                                otc: string[];
                            };
                            items: {
                                /** @description Account. */
                                account: string;
                                sources: string[];
                            }[];
                            /** @description Always empty: the lists are indexed, not requested. */
                            errors: string[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/udf/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What charts can ask for */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Resolutions of bars. */
                            supported_resolutions: string[];
                            /** @description `search` is there. */
                            supports_search: boolean;
                            /** @description Symbols are asked for one by one. */
                            supports_group_request: boolean;
                            /** @description No marks on bars. */
                            supports_marks: boolean;
                            /** @description No marks on the time scale. */
                            supports_timescale_marks: boolean;
                            /** @description `time` is there. */
                            supports_time: boolean;
                            exchanges: {
                                value: string;
                                name: string;
                                desc: string;
                            }[];
                            symbols_types: {
                                name: string;
                                value: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/udf/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Time of the last block, Unix seconds */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Unix seconds. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": number;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/udf/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a chart needs to know of a symbol
         * @description A symbol is `pool:<id>`, `market:<id>` or a ticker id.
         */
        get: {
            parameters: {
                query: {
                    /** @description `pool:<id>`, `market:<id>` or `<token id>_<token id>`. */
                    symbol: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description What charts show. */
                            name: string;
                            /** @description What finds it again. */
                            ticker: string;
                            /** @description In words. */
                            description: string;
                            /** @description `crypto`. */
                            type: string;
                            /** @description Open at all times. */
                            session: string;
                            /** @description `Etc/UTC`. */
                            timezone: string;
                            /** @description `amm` or `spot`. */
                            exchange: string;
                            /** @description The same. */
                            listed_exchange: string;
                            /** @description `price`. */
                            format: string;
                            /** @description Smallest step, in fractions of `pricescale`. */
                            minmov: number;
                            /** @description Ten to the power of decimals shown. */
                            pricescale: number;
                            /** @description Minutes are there. */
                            has_intraday: boolean;
                            /** @description Days are there. */
                            has_daily: boolean;
                            /** @description Weeks and months are there. */
                            has_weekly_and_monthly: boolean;
                            /** @description Minutes of bars. */
                            intraday_multipliers: string[];
                            /** @description Resolutions of bars. */
                            supported_resolutions: string[];
                            /** @description Symbol of the token that prices and volumes are in. */
                            currency_code: string;
                            /** @description Decimals of volumes. */
                            volume_precision: number;
                            /** @description `streaming`. */
                            data_status: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/udf/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Symbols with a text in their names */
        get: {
            parameters: {
                query?: {
                    /** @description Part of a symbol, a token id or a description. */
                    query?: string;
                    /** @description Only of this type. */
                    type?: string;
                    /** @description Only of this exchange. */
                    exchange?: string;
                    /** @description Maximum number of items. Default 30, maximum 100; 0: the maximum. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description What charts show. */
                            symbol: string;
                            /** @description The same, with the exchange. */
                            full_name: string;
                            /** @description In words. */
                            description: string;
                            /** @description `amm` or `spot`. */
                            exchange: string;
                            /** @description What finds it again. */
                            ticker: string;
                            /** @description `crypto`. */
                            type: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/udf/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bars of a symbol
         * @description Times are Unix seconds; `from` inclusive, `to` exclusive. `countback` counts back from `to`.
         */
        get: {
            parameters: {
                query: {
                    /** @description `pool:<id>`, `market:<id>` or `<token id>_<token id>`. */
                    symbol: string;
                    /** @description 1, 5, 15, 30, 60, 240, 1D, 1W or 1M; D, W and M are the same as with a 1. */
                    resolution: string;
                    /** @description Unix seconds: the first bar does not begin before. */
                    from: number;
                    /** @description Unix seconds: the last bar begins before. */
                    to: number;
                    /** @description Bars before `to`, at most 5000; then `from` has no meaning. */
                    countback?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description Whether there are bars in the range.
                             * @enum {unknown}
                             */
                            s: "ok" | "no_data";
                            /** @description Starts of the bars, Unix seconds, ascending. */
                            t?: number[];
                            /** @description Opening prices. */
                            o?: number[];
                            /** @description Highest prices. */
                            h?: number[];
                            /** @description Lowest prices. */
                            l?: number[];
                            /** @description Closing prices. */
                            c?: number[];
                            /** @description Volumes in the token that prices are in. */
                            v?: number[];
                            /** @description Where the last bar before the range begins, when there is one. */
                            nextTime?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Markets of all chains
         * @description Pools and order books that hold at least 1,000 USD, without scam-listed tokens.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            /** @description Currency: `<chain>:<symbol>-<contract>`; symbol of the asset in the merged form. */
                            base: string;
                            /** @description Currency. */
                            target: string;
                            /** @description `<chain>:<amm|orderbook>:<id>`; of the merged form, the most liquid one. */
                            pool_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Markets of all chains with prices and volumes, most liquid first
         * @description Pools and order books that hold at least 1,000 USD, without scam-listed tokens. `bid` and `ask` come from order books. Several pools may share a ticker id: `pool_id` tells them apart.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. Several pools may share it. */
                            ticker_id: string;
                            /** @description Currency. */
                            base_currency: string;
                            /** @description Currency. */
                            target_currency: string;
                            /** @description Pool or order book. */
                            pool_id: string;
                            /** @description `amm` or `orderbook`. */
                            type: string;
                            /** @description `wax`, `xpr`, `eos` or `telos`. */
                            chain: string;
                            /** @description Target per base. Of a book that has not traded yet, the middle of its best orders. */
                            last_price: number;
                            /** @description Base tokens in 24 hours. */
                            base_volume: number;
                            /** @description Target tokens in 24 hours. */
                            target_volume: number;
                            /** @description Value of a pool, or of the orders within 10 percent of the middle price. */
                            liquidity_in_usd: number;
                            /** @description Best buy order. Order books only. */
                            bid?: number | null;
                            /** @description Best sell order. Order books only. */
                            ask?: number | null;
                            /** @description Highest price of 24 hours; null without a trade. */
                            high: number | null;
                            /** @description Lowest price of 24 hours; null without a trade. */
                            low: number | null;
                            /** @description USD in 24 hours. */
                            volume_usd_24h: number;
                            /** @description Aggregator id. */
                            base_cmc_ucid: number | null;
                            /** @description Aggregator id. */
                            target_cmc_ucid: number | null;
                            /** @description `BASE-TARGET` when the aggregator lists both. */
                            global_ticker_id: string | null;
                            /** @description Page of the market. */
                            trade_url: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pairs of assets
         * @description One market for each pair of assets, whatever chains and pools it is traded in.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. */
                            ticker_id: string;
                            /** @description Currency: `<chain>:<symbol>-<contract>`; symbol of the asset in the merged form. */
                            base: string;
                            /** @description Currency. */
                            target: string;
                            /** @description `<chain>:<amm|orderbook>:<id>`; of the merged form, the most liquid one. */
                            pool_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pairs of assets with prices and volumes, most liquid first
         * @description One market for each pair of assets, whatever chains and pools it is traded in. Volumes and liquidity are sums; price and link are those of the most liquid pool, `bid` and `ask` of the most liquid order book.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<base>_<target>`. Several pools may share it. */
                            ticker_id: string;
                            /** @description Currency. */
                            base_currency: string;
                            /** @description Currency. */
                            target_currency: string;
                            /** @description Pool or order book. */
                            pool_id: string;
                            /** @description `amm` or `orderbook`. */
                            type: string;
                            /** @description `wax`, `xpr`, `eos` or `telos`. */
                            chain: string;
                            /** @description Target per base. Of a book that has not traded yet, the middle of its best orders. */
                            last_price: number;
                            /** @description Base tokens in 24 hours. */
                            base_volume: number;
                            /** @description Target tokens in 24 hours. */
                            target_volume: number;
                            /** @description Value of a pool, or of the orders within 10 percent of the middle price. */
                            liquidity_in_usd: number;
                            /** @description Best buy order. Order books only. */
                            bid?: number | null;
                            /** @description Best sell order. Order books only. */
                            ask?: number | null;
                            /** @description Highest price of 24 hours; null without a trade. */
                            high: number | null;
                            /** @description Lowest price of 24 hours; null without a trade. */
                            low: number | null;
                            /** @description USD in 24 hours. */
                            volume_usd_24h: number;
                            /** @description Aggregator id. */
                            base_cmc_ucid: number | null;
                            /** @description Aggregator id. */
                            target_cmc_ucid: number | null;
                            /** @description `BASE-TARGET` when the aggregator lists both. */
                            global_ticker_id: string | null;
                            /** @description Page of the market. */
                            trade_url: string;
                            /** @description Pools and order books merged into the market, most liquid first. */
                            pools: string[];
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pairs of assets, in the aggregator’s own layout */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<BASE>_<TARGET>`. */
                            trading_pairs: string;
                            /** @description Asset. */
                            base_currency: string;
                            /** @description Asset. */
                            quote_currency: string;
                            /** @description Quote per base. */
                            last_price: number;
                            /** @description Of the most liquid order book; null without one. */
                            lowest_ask: number | null;
                            /** @description The same. */
                            highest_bid: number | null;
                            /** @description 24 hours. */
                            base_volume: number;
                            /** @description 24 hours. */
                            quote_volume: number;
                            /** @description Percent. */
                            price_change_percent_24h: number;
                            /** @description Null without a trade. */
                            highest_price_24h: number | null;
                            /** @description Null without a trade. */
                            lowest_price_24h: number | null;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Assets by symbol */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: {
                                /** @description Name. */
                                name: string;
                                /** @description Aggregator id. */
                                unified_cryptoasset_id: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/ticker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pairs of assets by name */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: {
                                /** @description Aggregator id. */
                                base_id: number;
                                /** @description Aggregator id. */
                                quote_id: number;
                                /** @description Quote per base. */
                                last_price: number;
                                /** @description 24 hours. */
                                base_volume: number;
                                /** @description 24 hours. */
                                quote_volume: number;
                                /** @description `1` when trading is frozen everywhere, else `0`. */
                                isFrozen: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/orderbook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The order book of a ticker
         * @description `depth` counts both sides together: 100 is 50 bids and 50 asks; 0 is the whole book.
         */
        get: {
            parameters: {
                query: {
                    /** @description Ticker of an order book. */
                    ticker_id: string;
                    /** @description Levels of both sides together; 0, the default, is the full book. */
                    depth?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Ticker. */
                            ticker_id: string;
                            /** @description Order book. */
                            pool_id: string;
                            /** @description Time of the block, Unix milliseconds. */
                            timestamp: number;
                            /** @description Highest price first. */
                            bids: string[][];
                            /** @description Lowest price first. */
                            asks: string[][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/historical_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of a ticker, oldest first
         * @description Swaps of the pair’s pools and deals of its order book together, oldest first.
         */
        get: {
            parameters: {
                query: {
                    /** @description Any ticker of the feed. */
                    ticker_id: string;
                    /** @description Only trades of this side. */
                    type?: "buy" | "sell";
                    /** @description Maximum number of trades; the newest are returned. Default 200, maximum 1000; 0: the maximum. */
                    limit?: number;
                    /** @description Unix seconds, inclusive. */
                    start_time?: number;
                    /** @description Unix seconds, inclusive. */
                    end_time?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<chain>:swap:<id>` or `<chain>:match:<id>`. */
                            trade_id: string;
                            /** @description Ticker. */
                            ticker_id: string;
                            /** @description Where it was traded. */
                            pool_id: string;
                            /** @description Target per base. */
                            price: number;
                            /** @description Base tokens. */
                            base_volume: number;
                            /** @description Target tokens. */
                            target_volume: number;
                            /** @description Unix seconds. */
                            trade_timestamp: number;
                            /** @description `buy`: base left the pool or book; `sell`: it entered. */
                            type: string;
                            /** @description Transaction. */
                            trx_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/orderbook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The most liquid order book of a pair of assets */
        get: {
            parameters: {
                query: {
                    /** @description Ticker of an order book. */
                    ticker_id: string;
                    /** @description Levels of both sides together; 0, the default, is the full book. */
                    depth?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Ticker. */
                            ticker_id: string;
                            /** @description Order book. */
                            pool_id: string;
                            /** @description Time of the block, Unix milliseconds. */
                            timestamp: number;
                            /** @description Highest price first. */
                            bids: string[][];
                            /** @description Lowest price first. */
                            asks: string[][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/historical_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of a pair of assets, oldest first
         * @description Each trade names its own pool.
         */
        get: {
            parameters: {
                query: {
                    /** @description Any ticker of the feed. */
                    ticker_id: string;
                    /** @description Only trades of this side. */
                    type?: "buy" | "sell";
                    /** @description Maximum number of trades; the newest are returned. Default 200, maximum 1000; 0: the maximum. */
                    limit?: number;
                    /** @description Unix seconds, inclusive. */
                    start_time?: number;
                    /** @description Unix seconds, inclusive. */
                    end_time?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `<chain>:swap:<id>` or `<chain>:match:<id>`. */
                            trade_id: string;
                            /** @description Ticker. */
                            ticker_id: string;
                            /** @description Where it was traded. */
                            pool_id: string;
                            /** @description Target per base. */
                            price: number;
                            /** @description Base tokens. */
                            base_volume: number;
                            /** @description Target tokens. */
                            target_volume: number;
                            /** @description Unix seconds. */
                            trade_timestamp: number;
                            /** @description `buy`: base left the pool or book; `sell`: it entered. */
                            type: string;
                            /** @description Transaction. */
                            trx_id: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/orderbook/{pair}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The order book of a pair, in the aggregator’s own layout */
        get: {
            parameters: {
                query?: {
                    /** @description Levels of both sides together; 0, the default, is the full book. */
                    depth?: number;
                    /** @description 1: best bid and best ask; 2, the default: prices; 3: every order by itself, none merged. */
                    level?: number;
                };
                header?: never;
                path: {
                    /** @description `<BASE>_<TARGET>`. */
                    pair: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Time of the block, Unix milliseconds. */
                            timestamp: number;
                            /** @description Highest price first. */
                            bids: string[][];
                            /** @description Lowest price first. */
                            asks: string[][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/cmc/trades/{pair}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades of a pair, in the aggregator’s own layout */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of trades; the newest are returned. Default 200, maximum 1000; 0: the maximum. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description `<BASE>_<TARGET>`. */
                    pair: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Id. */
                            trade_id: string;
                            /** @description Quote per base. */
                            price: number;
                            /** @description Base. */
                            base_volume: number;
                            /** @description Quote. */
                            quote_volume: number;
                            /** @description Unix milliseconds. */
                            timestamp: number;
                            /** @description `buy` or `sell`. */
                            type: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How old the feed is, and what is in it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description When the feed was refreshed, ISO 8601. */
                            refreshedAt: string;
                            /** @description Seconds since then. */
                            ageSeconds: number;
                            /** @description Seconds between refreshes. */
                            refreshSeconds: number;
                            /** @description USD that a market must hold to be listed. */
                            minimumUsd: number;
                            /** @description Markets listed. */
                            tickers: number;
                            /** @description Markets in the form merged by asset. */
                            mergedTickers: number;
                            /** @description Rules broken, as `check` lists them. */
                            violations: number;
                            chains: {
                                /** @description Chain. */
                                chain: string;
                                /** @description Block that its markets were as of; null while it is being loaded and not in the feed. */
                                block: number | null;
                                /** @description Its time, ISO 8601. */
                                blockTime: string | null;
                                /** @description Age of that block when the feed was refreshed. */
                                lagSeconds: number | null;
                                /** @description Pools there are. */
                                pools: number;
                                /** @description Pools in the feed. */
                                poolsListed: number;
                                /** @description Order books there are. */
                                orderbooks: number;
                                /** @description Order books in the feed. */
                                orderbooksListed: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every rule that a market breaks
         * @description `violations` is empty when no market breaks a rule.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description When the feed was refreshed, ISO 8601. */
                            refreshedAt: string;
                            /** @description Markets looked at, merged ones included. */
                            checked: number;
                            violations: {
                                /** @description Stable name of the rule. */
                                rule: string;
                                /** @description Ticker. */
                                ticker_id: string;
                                /** @description Pool or order book; null of a merged market. */
                                pool_id: string | null;
                                /** @description What is wrong. */
                                message: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/onchain/latest-block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last irreversible block: events up to it never change */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            block: {
                                /** @description Block. */
                                blockNumber: number;
                                /** @description Its time, Unix seconds. */
                                blockTimestamp: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/onchain/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps and liquidity events of at most 5000 blocks
         * @description Only irreversible blocks, so an answer never changes. At most 5,000 blocks at once.
         */
        get: {
            parameters: {
                query: {
                    /** @description First block. */
                    fromBlock: number;
                    /** @description Last block, not above the latest one. */
                    toBlock: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description In the order of the chain. */
                            events: {
                                block: {
                                    /** @description Block. */
                                    blockNumber: number;
                                    /** @description Its time, Unix seconds. */
                                    blockTimestamp: number;
                                };
                                /**
                                 * @description A trade, or liquidity that comes or goes.
                                 * @enum {unknown}
                                 */
                                eventType: "swap" | "join" | "exit";
                                /** @description Transaction. */
                                txnId: string;
                                /** @description Place of the transaction among those of the block that have events. */
                                txnIndex: number;
                                /** @description Place of the event in its transaction. */
                                eventIndex: number;
                                /** @description Account that traded, or owns the position. */
                                maker: string;
                                /** @description Pool id. */
                                pairId: string;
                                /** @description Tokens A that entered the pool in a swap. */
                                asset0In?: string;
                                /** @description Tokens B that entered the pool in a swap. */
                                asset1In?: string;
                                /** @description Tokens A that left the pool in a swap. */
                                asset0Out?: string;
                                /** @description Tokens B that left the pool in a swap. */
                                asset1Out?: string;
                                /** @description Price of A in B after a swap, 16 significant digits. */
                                priceNative?: string;
                                /** @description Tokens A added or removed. */
                                amount0?: string;
                                /** @description Tokens B added or removed. */
                                amount1?: string;
                                /** @description What the pool held as logged. */
                                reserves?: {
                                    asset0: string;
                                    asset1: string;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/onchain/asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One token, as indexers want it */
        get: {
            parameters: {
                query: {
                    /** @description Token id. */
                    id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            asset: {
                                /** @description `<symbol>-<contract>`. */
                                id: string;
                                /** @description Tokens of these chains have a symbol and no other name. */
                                name: string;
                                /** @description Symbol. */
                                symbol: string;
                                /** @description Precision. */
                                decimals: number;
                                /** @description Tokens issued, when the supply is known. */
                                totalSupply?: string;
                                /** @description The same: what is issued can move. */
                                circulatingSupply?: string;
                                metadata: {
                                    /** @description Token contract. */
                                    contract: string;
                                };
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/feed/onchain/pair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One pool, as indexers want it */
        get: {
            parameters: {
                query: {
                    /** @description Pool id. */
                    id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            pair: {
                                /** @description Pool id. */
                                id: string;
                                /** @description Contract of the pools. */
                                dexKey: string;
                                /** @description Token A. */
                                asset0Id: string;
                                /** @description Token B. */
                                asset1Id: string;
                                /** @description Block of its creation; missing when older than the indexed history. */
                                createdAtBlockNumber?: number;
                                /** @description Its time, Unix seconds. */
                                createdAtBlockTimestamp?: number;
                                /** @description Transaction of its creation. */
                                createdAtTxnId?: string;
                                /** @description Fee in hundredths of a percent. */
                                feeBps: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ways over the bridge, with their limits
         * @description `max` is what fits through now; a route that nothing fits through is not `open`. `how` says how a transfer begins. Amounts are integers in the asset’s smallest unit, as text.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            routes: {
                                /** @description Symbol of the asset. */
                                symbol: string;
                                /** @description Decimals of `min` and `max`. */
                                precision: number;
                                /** @description Id of the source chain. */
                                from: string;
                                /** @description Id of the destination chain. */
                                to: string;
                                /** @description Id of the chain between them; null for a direct route. */
                                via: string | null;
                                /** @description Whether transfers are accepted now; never while this instance lags a chain of the route. */
                                open: boolean;
                                /** @description Minimum amount, ledger units. */
                                min: string;
                                /** @description Maximum amount at present, ledger units. */
                                max: string;
                                /** @description Contract of the token on the Antelope chain. */
                                antelopeToken: string;
                                /** @description Amount that the vault at the destination may pay out now, ledger units; null if unknown. */
                                withdrawableNow: string | null;
                                /** @description Amount of the asset that the vault holds, ledger units. */
                                backing: string;
                                how: {
                                    deposit?: {
                                        /** @description Contract that takes the deposit: the vault, or the account to transfer to. */
                                        contract: string;
                                        /** @description Token: on an EVM chain its address, all zeros for the native coin; on an Antelope chain its contract. */
                                        token: string;
                                        /** @description Receiving account on the ledger’s chain; `hop.svc` for a route that goes on to another chain. */
                                        telosTo: string;
                                        /** @description Template of the memo; empty if the deposit has no memo. */
                                        memo: string;
                                    };
                                    withdraw?: {
                                        /** @description Account to transfer to. */
                                        contract: string;
                                        /** @description Template of the memo. */
                                        memo: string;
                                        /** @description Contract of the token to transfer. */
                                        token: string;
                                    };
                                };
                                timing: {
                                    /** @description Typical time: the median of recent transfers. */
                                    seconds: number;
                                    /** @description Fastest and slowest recent times, seconds. */
                                    range: number[];
                                    /** @description Whether the times were measured on recent transfers; otherwise they are typical times. */
                                    measured: boolean;
                                    /** @description Number of measured transfers; 0 for typical times. */
                                    samples: number;
                                    /** @description The times as text for people. */
                                    human: string;
                                };
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chains of the bridge, with contracts and measured times
         * @description Read contract addresses from here. Times are measured on recent transfers.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sources: {
                                /** @description Chain id. */
                                id: string;
                                /** @description Display name. */
                                name: string;
                                /** @description EIP-155 chain id; null for an Antelope chain. */
                                chainId: number | null;
                                /** @description Number of the chain in the bridge’s contracts. */
                                domain: string;
                                /** @description Contracts by role: on an EVM chain `vault`, `withdrawals`, `lightClient`; on an Antelope chain `bridge`, `wrap`. */
                                contracts: {
                                    [key: string]: string;
                                };
                                timing: {
                                    deposit: {
                                        /** @description Typical time: the median of recent transfers. */
                                        seconds: number;
                                        /** @description Fastest and slowest recent times, seconds. */
                                        range: number[];
                                        /** @description Whether the times were measured on recent transfers; otherwise they are typical times. */
                                        measured: boolean;
                                        /** @description Number of measured transfers; 0 for typical times. */
                                        samples: number;
                                        /** @description The times as text for people. */
                                        human: string;
                                    };
                                    withdrawal: {
                                        /** @description Typical time: the median of recent transfers. */
                                        seconds: number;
                                        /** @description Fastest and slowest recent times, seconds. */
                                        range: number[];
                                        /** @description Whether the times were measured on recent transfers; otherwise they are typical times. */
                                        measured: boolean;
                                        /** @description Number of measured transfers; 0 for typical times. */
                                        samples: number;
                                        /** @description The times as text for people. */
                                        human: string;
                                    };
                                };
                                /** @description How far this instance has indexed the chain; null if it does not index the chain. */
                                indexed: {
                                    /** @description Last block indexed. */
                                    block: number;
                                    /** @description Last irreversible block. */
                                    final: number;
                                    /** @description Time of the last block, Unix seconds. */
                                    time: number;
                                } | null;
                                /** @description Whether this instance lags the chain, or the nodes of the chain disagree. Then no route of the chain is open. */
                                behind: boolean;
                                routes: {
                                    /** @description Symbol of the asset. */
                                    symbol: string;
                                    /** @description Decimals of ledger units. */
                                    precision: number;
                                    /** @description Token on this chain. */
                                    token: string;
                                    /** @description Contract of the token on the Antelope chain. */
                                    antelopeToken: string;
                                    /** @description Amount that the vault at the destination may pay out now, ledger units; null if unknown. */
                                    withdrawableNow: string | null;
                                    /** @description Amount of the asset that the vault holds, ledger units. */
                                    backing: string;
                                    /** @description Limits of the asset in the vault; null if unknown, or if the vault is not a contract. */
                                    limits: {
                                        /** @description Raw units per ledger unit. */
                                        scale: string;
                                        /** @description Cap of deposits, raw units. */
                                        cap: string;
                                        /** @description Whether the vault accepts deposits of the asset. */
                                        enabled: boolean;
                                        /** @description Raw units that the vault may pay out now; null if unknown. */
                                        available: string | null;
                                    } | null;
                                }[];
                                /** @description Source and age of the vaults’ limits. */
                                vaults: {
                                    /** @description Address of the vault. */
                                    vault: string;
                                    /**
                                     * @description `rpc`: read from the contract by an EVM endpoint; `ledger`: computed from the vault’s events.
                                     * @enum {unknown}
                                     */
                                    source: "rpc" | "ledger";
                                    /** @description Block at which the vault was read. */
                                    block: number | null;
                                    /** @description Time of that block, Unix seconds. */
                                    time: number | null;
                                    /** @description Seconds since the vault was read. */
                                    ageSeconds: number | null;
                                    /** @description Whether the reading is too old, because no endpoint has answered since. */
                                    stale: boolean;
                                    /** @description Whether the vault refuses deposits. */
                                    depositsPaused: boolean;
                                    /** @description Whether the vault refuses payouts. */
                                    withdrawalsPaused: boolean;
                                }[];
                                /** @description Newest finality roots that the light client has stored. */
                                roots: {
                                    /** @description Root of the finality tree, 0x and hexadecimal digits. */
                                    root: string;
                                    /** @description Last block of the ledger’s chain that the root covers. */
                                    lastBlock: number;
                                    /** @description Block of the light client’s chain in which the root was stored. */
                                    block: number;
                                    /** @description Time of that block, Unix seconds. */
                                    time: number;
                                    /** @description Generation of the finalizer policy that signed the root. */
                                    generation: number;
                                }[];
                                /** @description Whether a proof of a deposit from this chain also shows that its block is final. Otherwise it shows only that the block contains the deposit, and the gateway must have another reason to trust the block. */
                                provesFinality: boolean;
                            }[];
                            ledger: {
                                /** @description Chain id. */
                                id: string;
                                /** @description Display name. */
                                name: string;
                                /** @description Number of the chain in the bridge’s contracts. */
                                domain: string | null;
                                /** @description Contracts by role. */
                                contracts: {
                                    [key: string]: string;
                                };
                                indexed: {
                                    /** @description Last block indexed. */
                                    block: number;
                                    /** @description Last irreversible block. */
                                    final: number;
                                    /** @description Time of the last block indexed, Unix seconds. */
                                    time: number;
                                };
                                /** @description Whether this instance lags the chain, or the nodes of the chain disagree. Then no route is open. */
                                behind: boolean;
                                /** @description Last block whose burns can be proved; null while this instance does not follow finality. */
                                proved: number | null;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What can be settled, credited, delivered or sent back now
         * @description What a relayer can do now: release, expire, credit, forward, bounce, settle, refund, recover; each with the action that does it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only this list: `withdrawal` for `pending`, `deposit` for `deposits`, `settlement` for `settlements`, `hop` for `hops`. The other lists are empty. */
                    kind?: "withdrawal" | "deposit" | "settlement" | "hop";
                    /** @description Only entries of this domain: the destination of a withdrawal, the source of a deposit, or the domain to which a journey returns. It is the number of a domain. */
                    domain?: string;
                    /** @description Only entries for which this action can be sent. */
                    action?: "release" | "expire" | "credit" | "forward" | "bounce" | "settle" | "refund" | "recover";
                    /** @description Only the leg or the journey with this key. */
                    key?: string;
                    /** @description Maximum number of entries of each list. Default and maximum 1000. */
                    limit?: number;
                    /** @description Start of a page of one list: a value from `next` of the previous page. The other lists are empty. It is a cursor: take it from the answer of the previous page, unchanged. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Withdrawals that can be released or expired. */
                            pending: {
                                /** @description Key of the withdrawal. */
                                key: string;
                                /**
                                 * @description Action to send.
                                 * @enum {unknown}
                                 */
                                action: "release" | "expire";
                                /** @description Withdrawal id. */
                                id: string;
                                /** @description Destination domain. */
                                domain: string;
                                /** @description Id of the destination chain. */
                                chain: string;
                                /** @description Contract to call; null if the relayer pays without a contract. */
                                releaseTo: string | null;
                                /** @description Kind of proof to send. */
                                track: ("light" | "hard") | null;
                                /** @description Recipient of the payout. */
                                recipient: string;
                                /** @description Token at the destination. */
                                token: string;
                                /** @description Symbol of the asset; null if unknown. */
                                symbol: string | null;
                                /** @description Amount in ledger units, the fee included. */
                                amount: string;
                                /** @description Decimals of the amount; null if unknown. */
                                precision: number | null;
                                /** @description Part of the amount that the sender of the release gets, ledger units. */
                                fee: string;
                                /** @description Unix seconds: after this time the action is `expire`. */
                                deadline: number;
                                /** @description Estimated gas; null if no EVM contract is called. */
                                estimatedGas: {
                                    /** @description Gas of `release` or `expire`; null while no stored root covers the burn. */
                                    light: number | null;
                                    /** @description Gas of `submitAndRelease` or `submitAndExpire`, including the hand-offs before it. */
                                    hard: number;
                                    /** @description The part of `hard` for hand-offs: calls of `submitAndLearn`, each in its own transaction. */
                                    handoffs: number;
                                } | null;
                                /** @description Whether the vault’s allowance is enough for this withdrawal after all withdrawals before it in the list; null if unknown, and for `expire`. */
                                fits: boolean | null;
                                /** @description Whether its proof is available. */
                                hasProof: boolean;
                                /** @description Time of the burn, Unix seconds. */
                                src_time: number;
                                /** @description Why the action cannot succeed now; null if no reason is known. `no_account`: the recipient does not exist. `overtaken`: a withdrawal that was burned ten minutes later is already paid, so a payout of this one was probably refused. `paused`: the vault refuses payouts. `allowance`: the amount is above the vault’s allowance. `no_proof`: its proof is not available yet. `no_contract`: the contract to call is unknown. */
                                obstacle: ("no_account" | "overtaken" | "paused" | "allowance" | "no_proof" | "no_contract") | null;
                            }[];
                            /** @description Deposits that wait for an action. */
                            deposits: {
                                /** @description Key of the deposit. */
                                key: string;
                                /**
                                 * @description Action to try first.
                                 * @enum {unknown}
                                 */
                                action: "credit" | "forward" | "bounce";
                                /** @description Actions that can be sent now, in the order to try. */
                                actions: ("credit" | "forward" | "bounce")[];
                                /** @description Account on the ledger’s chain that has the action; null if unknown. */
                                contract: string | null;
                                /** @description Source domain. */
                                domain: string;
                                /** @description Number of the deposit. */
                                nonce: string;
                                /** @description Id of the source chain. */
                                chain: string;
                                /** @description Recipient on the ledger’s chain; null if unknown. */
                                recipient: string | null;
                                /** @description Symbol of the asset; null if unknown. */
                                symbol: string | null;
                                /** @description Amount in ledger units. */
                                amount: string;
                                /** @description Decimals of the amount; null if unknown. */
                                precision: number | null;
                                /** @description Time of the deposit, Unix seconds. */
                                src_time: number;
                                /** @description Earliest time of a `bounce`, Unix seconds; null before the deposit is parked. */
                                bounceFrom: number | null;
                                /** @description Why the action cannot succeed now; null if no reason is known. `no_account`: the recipient does not exist. `overtaken`: the deposit has waited for ten minutes, and later deposits of its chain are already credited. `no_contract`: the account that credits it is unknown. */
                                obstacle: ("no_account" | "overtaken" | "no_contract") | null;
                            }[];
                            /** @description Withdrawals that have ended at their destination, but not yet on the ledger’s chain. */
                            settlements: {
                                /** @description Key of the withdrawal. */
                                key: string;
                                /**
                                 * @description `settle`: the outcome can be reported to the ledger’s chain. `refund`: the owner can get the tokens back.
                                 * @enum {unknown}
                                 */
                                action: "settle" | "refund";
                                /** @description Account on the ledger’s chain: the gateway for `settle`, the bridge for `refund`. */
                                contract: string | null;
                                /** @description Withdrawal id. */
                                id: string;
                                /** @description Destination domain. */
                                domain: string;
                                /** @description Id of the destination chain. */
                                chain: string;
                                /** @description Whether `settle` reports a release, not an expiry; null for `refund`. */
                                released: boolean | null;
                                /** @description Final transaction at the destination that proves the outcome; null for `refund`. */
                                tx: string | null;
                                /** @description Recipient of the refund. */
                                owner: string | null;
                                /** @description Time of the burn, Unix seconds. */
                                src_time: number;
                            }[];
                            /** @description Journeys whose tokens came back to the hop contract and wait to be returned. */
                            hops: {
                                /** @description Key of the journey. */
                                key: string;
                                /** @enum {unknown} */
                                action: "recover";
                                /** @description Account that has the action; null if unknown. */
                                contract: string | null;
                                /** @description Hop id. */
                                id: string;
                                back: {
                                    /** @description Id of the destination chain. */
                                    chain: string;
                                    /** @description Account or address of the recipient; null if unknown. */
                                    recipient: string | null;
                                };
                            }[];
                            /** @description `cursor` of the next page of each list. */
                            next: {
                                /** @description Cursor for `pending`; null at the end. */
                                pending: string | null;
                                /** @description Cursor for `deposits`; null at the end. */
                                deposits: string | null;
                                /** @description Cursor for `settlements`; null at the end. */
                                settlements: string | null;
                                /** @description Cursor for `hops`; null at the end. */
                                hops: string | null;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/hops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Journeys, newest first
         * @description Tracks transfers: journeys over the ledger’s chain, newest first; with `direct=true` also those of one leg. Poll every 10 to 15 seconds. Page with `before`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Sender, recipient, or recipient of a refund: an account, or an address in upper or lower case. */
                    party?: string;
                    /** @description Only with this source transaction: 64 hexadecimal digits, with or without 0x. */
                    tx?: string;
                    /** @description Whether to include journeys of one leg. */
                    direct?: boolean;
                    /** @description Maximum number of rows. Default 50, maximum 500. */
                    limit?: number;
                    /** @description Only transfers that began before this time, Unix seconds. For the next page: `next`, or the `src_time` of the last row. */
                    before?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            hops: {
                                /** @description Key of the first leg. */
                                key: string;
                                /**
                                 * @description `hop`: two legs, joined by the hop contract; `deposit`, `withdrawal`: one leg.
                                 * @enum {unknown}
                                 */
                                direction: "hop" | "deposit" | "withdrawal";
                                /**
                                 * @description Status of the journey.
                                 * @enum {unknown}
                                 */
                                status: "arriving" | "sending" | "delivered" | "bounced" | "returning" | "returned";
                                progress: {
                                    /** @description Current step, as text for people. */
                                    stage: string;
                                    /** @description 0 to 100; 100 when the tokens are delivered or returned. */
                                    percent: number;
                                    /** @description Estimated seconds until the tokens arrive; null while the journey waits for an action or takes longer than usual. */
                                    etaSeconds: number | null;
                                };
                                /** @description Next action; null when the journey has ended. */
                                next: {
                                    /**
                                     * @description Who acts.
                                     * @enum {unknown}
                                     */
                                    actor: "automatic" | "relayer" | "recipient" | "anyone";
                                    /** @description Name of the contract call that the actor makes; null if it is not known or none is needed. */
                                    action: string | null;
                                    /** @description Latest time of the action, Unix seconds; null if there is no deadline. */
                                    deadline: number | null;
                                } | null;
                                from: {
                                    /** @description Id of the source chain. */
                                    chain: string;
                                    /** @description Account or address of the sender; null if unknown. */
                                    address: string | null;
                                };
                                to: {
                                    /** @description Id of the destination chain. */
                                    chain: string;
                                    /** @description Account or address of the recipient; null if unknown. */
                                    recipient: string | null;
                                };
                                /** @description Where the tokens return if they are not delivered. */
                                back: {
                                    /** @description Id of the destination chain. */
                                    chain: string;
                                    /** @description Account or address of the recipient; null if unknown. */
                                    recipient: string | null;
                                } | null;
                                deposit: {
                                    /** @description Symbol of the asset; null if unknown. */
                                    symbol: string | null;
                                    /** @description Amount in the smallest unit. */
                                    amount: string;
                                    /** @description Decimals of the amount; null if unknown. */
                                    precision: number | null;
                                    /** @description Source transaction; null if its chain is not indexed. */
                                    src_tx: string | null;
                                };
                                /** @description Start of the journey, Unix seconds: the earliest known time. */
                                src_time: number;
                                /** @description Problems of the journey, as text for people. */
                                warnings: string[];
                                legs: {
                                    /** @description Key of the leg. */
                                    key: string;
                                    /** @description Status of the leg. */
                                    status: string;
                                    /** @description Latest transaction of the leg. */
                                    tx: string | null;
                                }[];
                            }[];
                            /** @description `before` of the next page; null at the end. */
                            next: number | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/hops/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The journey of a leg
         * @description Where a transfer is, by the key of any of its legs, and who acts next when it is stuck. `delivered` and `returned` are the ends; an empty `etaSeconds` means that the time is unknown.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `d:<domain>:<nonce>` of a deposit, or `w:<id>` of a withdrawal. */
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Key of the first leg. */
                            key: string;
                            /**
                             * @description `hop`: two legs, joined by the hop contract; `deposit`, `withdrawal`: one leg.
                             * @enum {unknown}
                             */
                            direction: "hop" | "deposit" | "withdrawal";
                            /**
                             * @description Status of the journey.
                             * @enum {unknown}
                             */
                            status: "arriving" | "sending" | "delivered" | "bounced" | "returning" | "returned";
                            progress: {
                                /** @description Current step, as text for people. */
                                stage: string;
                                /** @description 0 to 100; 100 when the tokens are delivered or returned. */
                                percent: number;
                                /** @description Estimated seconds until the tokens arrive; null while the journey waits for an action or takes longer than usual. */
                                etaSeconds: number | null;
                            };
                            /** @description Next action; null when the journey has ended. */
                            next: {
                                /**
                                 * @description Who acts.
                                 * @enum {unknown}
                                 */
                                actor: "automatic" | "relayer" | "recipient" | "anyone";
                                /** @description Name of the contract call that the actor makes; null if it is not known or none is needed. */
                                action: string | null;
                                /** @description Latest time of the action, Unix seconds; null if there is no deadline. */
                                deadline: number | null;
                            } | null;
                            from: {
                                /** @description Id of the source chain. */
                                chain: string;
                                /** @description Account or address of the sender; null if unknown. */
                                address: string | null;
                            };
                            to: {
                                /** @description Id of the destination chain. */
                                chain: string;
                                /** @description Account or address of the recipient; null if unknown. */
                                recipient: string | null;
                            };
                            /** @description Where the tokens return if they are not delivered. */
                            back: {
                                /** @description Id of the destination chain. */
                                chain: string;
                                /** @description Account or address of the recipient; null if unknown. */
                                recipient: string | null;
                            } | null;
                            deposit: {
                                /** @description Symbol of the asset; null if unknown. */
                                symbol: string | null;
                                /** @description Amount in the smallest unit. */
                                amount: string;
                                /** @description Decimals of the amount; null if unknown. */
                                precision: number | null;
                                /** @description Source transaction; null if its chain is not indexed. */
                                src_tx: string | null;
                            };
                            /** @description Start of the journey, Unix seconds: the earliest known time. */
                            src_time: number;
                            /** @description Problems of the journey, as text for people. */
                            warnings: string[];
                            legs: {
                                /** @description Key of the leg. */
                                key: string;
                                /** @description Status of the leg. */
                                status: string;
                                /** @description Latest transaction of the leg. */
                                tx: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Legs, newest first
         * @description Single legs, newest first. Page with `before`. Amounts are integers in the asset’s smallest unit, as text.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Account that takes part in the leg. */
                    account?: string;
                    /** @description Address that takes part in the leg, in upper or lower case. */
                    address?: string;
                    /** @description Only with this source transaction: 64 hexadecimal digits, with or without 0x. */
                    tx?: string;
                    /** @description To the ledger’s chain, or from it. */
                    direction?: "deposit" | "withdrawal";
                    /** @description One of seen, provable, credited, parked, forwarded, bounced, burned, released, expired, refunded; several separated by commas. */
                    status?: string;
                    /** @description Maximum number of rows. Default 50, maximum 500. */
                    limit?: number;
                    /** @description Only transfers that began before this time, Unix seconds. For the next page: `next`, or the `src_time` of the last row. */
                    before?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            transfers: {
                                /** @description Key of the leg. */
                                key: string;
                                /** @enum {unknown} */
                                kind: "deposit" | "withdrawal";
                                /**
                                 * @description To the ledger’s chain, or from it.
                                 * @enum {unknown}
                                 */
                                direction: "deposit" | "withdrawal";
                                /** @enum {unknown} */
                                status: "seen" | "provable" | "credited" | "parked" | "forwarded" | "bounced" | "burned" | "released" | "expired" | "refunded";
                                /** @description Domain of the chain at the other end of the leg. */
                                domain: string;
                                /** @description Number of a deposit; null for a withdrawal. */
                                nonce: string | null;
                                /** @description Number of a withdrawal; null for a deposit. */
                                id: string | null;
                                from: {
                                    /** @description Id of the source chain. */
                                    chain: string;
                                    /** @description Account or address of the sender; null if unknown. */
                                    address: string | null;
                                };
                                to: {
                                    /** @description Id of the destination chain. */
                                    chain: string;
                                    /** @description Account or address of the recipient; null if unknown. */
                                    recipient: string | null;
                                };
                                /** @description The address of `from`. */
                                sender: string | null;
                                /** @description The recipient of `to`. */
                                recipient: string | null;
                                /** @description Symbol of the asset; null if unknown. */
                                symbol: string | null;
                                /** @description Amount in ledger units. For a withdrawal, the fee is included. */
                                amount: string;
                                /** @description Decimals of the amount; null if unknown. */
                                precision: number | null;
                                /** @description Part of the amount that the sender of the release gets, ledger units. */
                                fee: string | null;
                                /** @description Memo: 0x and hexadecimal digits. */
                                memo: string;
                                /** @description Memo as text; null if it is not valid UTF-8. */
                                memoText: string | null;
                                /** @description Token at the other end. */
                                token: string | null;
                                /** @description Vault at the other end. */
                                vault: string | null;
                                /** @description For a deposit: amount in raw units of the token on the source chain. */
                                rawAmount: string | null;
                                /** @description Decimals of `rawAmount`. */
                                rawPrecision: number | null;
                                /** @description Block of the source transaction. */
                                src_block: number | null;
                                /** @description Source transaction; null if its chain is not indexed. */
                                src_tx: string | null;
                                /** @description Time of the source transaction, Unix seconds; the earliest known time if its chain is not indexed. */
                                src_time: number;
                                /** @description Transaction that caused the status. */
                                dst_tx: string | null;
                                /** @description Time of that transaction, Unix seconds. */
                                dst_time: number | null;
                                /** @description For a withdrawal: when it expires, Unix seconds. */
                                deadline: number | null;
                                /** @description Recipient of a refund. */
                                refundTo: string | null;
                                /** @description Key of the withdrawal that returns a bounced deposit. */
                                back: string | null;
                                /** @description For a withdrawal: whether its proof is available. */
                                hasProof?: boolean;
                            }[];
                            /** @description `before` of the next page; null at the end. */
                            next: number | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/transfers/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One leg of a transfer
         * @description A withdrawal with `hasProof` can be released.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `d:<domain>:<nonce>` of a deposit, or `w:<id>` of a withdrawal. */
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Key of the leg. */
                            key: string;
                            /** @enum {unknown} */
                            kind: "deposit" | "withdrawal";
                            /**
                             * @description To the ledger’s chain, or from it.
                             * @enum {unknown}
                             */
                            direction: "deposit" | "withdrawal";
                            /** @enum {unknown} */
                            status: "seen" | "provable" | "credited" | "parked" | "forwarded" | "bounced" | "burned" | "released" | "expired" | "refunded";
                            /** @description Domain of the chain at the other end of the leg. */
                            domain: string;
                            /** @description Number of a deposit; null for a withdrawal. */
                            nonce: string | null;
                            /** @description Number of a withdrawal; null for a deposit. */
                            id: string | null;
                            from: {
                                /** @description Id of the source chain. */
                                chain: string;
                                /** @description Account or address of the sender; null if unknown. */
                                address: string | null;
                            };
                            to: {
                                /** @description Id of the destination chain. */
                                chain: string;
                                /** @description Account or address of the recipient; null if unknown. */
                                recipient: string | null;
                            };
                            /** @description The address of `from`. */
                            sender: string | null;
                            /** @description The recipient of `to`. */
                            recipient: string | null;
                            /** @description Symbol of the asset; null if unknown. */
                            symbol: string | null;
                            /** @description Amount in ledger units. For a withdrawal, the fee is included. */
                            amount: string;
                            /** @description Decimals of the amount; null if unknown. */
                            precision: number | null;
                            /** @description Part of the amount that the sender of the release gets, ledger units. */
                            fee: string | null;
                            /** @description Memo: 0x and hexadecimal digits. */
                            memo: string;
                            /** @description Memo as text; null if it is not valid UTF-8. */
                            memoText: string | null;
                            /** @description Token at the other end. */
                            token: string | null;
                            /** @description Vault at the other end. */
                            vault: string | null;
                            /** @description For a deposit: amount in raw units of the token on the source chain. */
                            rawAmount: string | null;
                            /** @description Decimals of `rawAmount`. */
                            rawPrecision: number | null;
                            /** @description Block of the source transaction. */
                            src_block: number | null;
                            /** @description Source transaction; null if its chain is not indexed. */
                            src_tx: string | null;
                            /** @description Time of the source transaction, Unix seconds; the earliest known time if its chain is not indexed. */
                            src_time: number;
                            /** @description Transaction that caused the status. */
                            dst_tx: string | null;
                            /** @description Time of that transaction, Unix seconds. */
                            dst_time: number | null;
                            /** @description For a withdrawal: when it expires, Unix seconds. */
                            deadline: number | null;
                            /** @description Recipient of a refund. */
                            refundTo: string | null;
                            /** @description Key of the withdrawal that returns a bounced deposit. */
                            back: string | null;
                            /** @description For a withdrawal: whether its proof is available. */
                            hasProof?: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/proofs/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The proof of a leg: for contracts of the destination, or the actions that credit a deposit
         * @description Of a withdrawal: what `release` or `submitAndRelease` of the withdrawals contract take, in struct order; pass it through unchanged, after what `handoffs` names. Of a deposit: the actions that credit it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description For a deposit: account that will push the actions. Without it, the actions contain the empty name. */
                    relayer?: string;
                    /** @description For a withdrawal: newest generation of finalizers that the light client has learned. `handoffs` begins after this generation. Needed only if this instance does not index the light client. */
                    learned?: number;
                };
                header?: never;
                path: {
                    /** @description `d:<domain>:<nonce>` of a deposit, or `w:<id>` of a withdrawal. */
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The one to send: `light` if it is not null.
                             * @enum {unknown}
                             */
                            track: "light" | "hard";
                            /** @description Null while no stored root covers the burn. */
                            light: {
                                /** @description Contract to call; null if none is known, and on an Antelope chain: there the relayer pays. */
                                releaseTo: string | null;
                                /** @description Address of the vault; on an Antelope chain the account that pays. */
                                vault: string;
                                /** @description Argument of `release` or `expire`. */
                                release: {
                                    /** @description An unsigned integer: decimal digits. */
                                    id: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    domain: string;
                                    /** @description 0x and hexadecimal digits: an address, or on an Antelope chain the bytes of a name. */
                                    token: string;
                                    /** @description 0x and hexadecimal digits: an address, or on an Antelope chain the bytes of a name. */
                                    recipient: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    amount: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    deadline: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    fee: string;
                                    /** @description 0x and hexadecimal digits. */
                                    memo: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    recvSequence: string;
                                    /** @description 0x and hexadecimal digits. */
                                    witness: string;
                                    actionSiblings: string[];
                                    /** @description An unsigned integer: decimal digits. */
                                    actionPath: string;
                                    /** @description 0x and hexadecimal digits. */
                                    actionMroot: string;
                                    majorVersion: number;
                                    minorVersion: number;
                                    blockNum: number;
                                    timestamp: number;
                                    parentTimestamp: number;
                                    /** @description 0x and hexadecimal digits. */
                                    finalityDigest: string;
                                    treeSiblings: string[];
                                    /** @description An unsigned integer: decimal digits. */
                                    treePath: string;
                                    /** @description 0x and hexadecimal digits. */
                                    finalityMroot: string;
                                };
                            } | null;
                            hard: {
                                /** @description Contract to call; null if none is known, and on an Antelope chain: there the relayer pays. */
                                releaseTo: string | null;
                                /** @description Address of the vault; on an Antelope chain the account that pays. */
                                vault: string;
                                /** @description Argument of `release` or `expire`. */
                                release: {
                                    /** @description An unsigned integer: decimal digits. */
                                    id: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    domain: string;
                                    /** @description 0x and hexadecimal digits: an address, or on an Antelope chain the bytes of a name. */
                                    token: string;
                                    /** @description 0x and hexadecimal digits: an address, or on an Antelope chain the bytes of a name. */
                                    recipient: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    amount: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    deadline: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    fee: string;
                                    /** @description 0x and hexadecimal digits. */
                                    memo: string;
                                    /** @description An unsigned integer: decimal digits. */
                                    recvSequence: string;
                                    /** @description 0x and hexadecimal digits. */
                                    witness: string;
                                    actionSiblings: string[];
                                    /** @description An unsigned integer: decimal digits. */
                                    actionPath: string;
                                    /** @description 0x and hexadecimal digits. */
                                    actionMroot: string;
                                    majorVersion: number;
                                    minorVersion: number;
                                    blockNum: number;
                                    timestamp: number;
                                    parentTimestamp: number;
                                    /** @description 0x and hexadecimal digits. */
                                    finalityDigest: string;
                                    treeSiblings: string[];
                                    /** @description An unsigned integer: decimal digits. */
                                    treePath: string;
                                    /** @description 0x and hexadecimal digits. */
                                    finalityMroot: string;
                                };
                                /** @description Arguments that make a root trusted. */
                                submitRoot: {
                                    finality: {
                                        majorVersion: number;
                                        minorVersion: number;
                                        activeGeneration: number;
                                        lastPendingGeneration: number;
                                        /** @description 0x and hexadecimal digits. */
                                        finalityMroot: string;
                                        /** @description 0x and hexadecimal digits. */
                                        lastPendingPolicyDigest: string;
                                        lastPendingPolicyStart: number;
                                        /** @description 0x and hexadecimal digits. */
                                        reversibleBlocksMroot: string;
                                        qcClaimBlockNum: number;
                                        /** @description 0x and hexadecimal digits. */
                                        qcClaimFinalityDigest: string;
                                        qcClaimTimestamp: number;
                                        timestamp: number;
                                        /** @description 0x and hexadecimal digits. */
                                        baseDigest: string;
                                    };
                                    /** @description 0x and hexadecimal digits. */
                                    bits: string;
                                    /** @description 0x and hexadecimal digits. */
                                    signature: string;
                                    policyKeys: string[];
                                    pending: {
                                        /** @description 0x and hexadecimal digits. */
                                        policy: string;
                                        /** @description 0x and hexadecimal digits. */
                                        bits: string;
                                        /** @description 0x and hexadecimal digits. */
                                        signature: string;
                                    };
                                };
                                /** @description Address; null if it is not known. */
                                lightClient: string | null;
                                /** @description Policies that the light client must learn first, in this order. */
                                handoffs: {
                                    /** @description Arguments that make a root trusted. */
                                    submitRoot: {
                                        finality: {
                                            majorVersion: number;
                                            minorVersion: number;
                                            activeGeneration: number;
                                            lastPendingGeneration: number;
                                            /** @description 0x and hexadecimal digits. */
                                            finalityMroot: string;
                                            /** @description 0x and hexadecimal digits. */
                                            lastPendingPolicyDigest: string;
                                            lastPendingPolicyStart: number;
                                            /** @description 0x and hexadecimal digits. */
                                            reversibleBlocksMroot: string;
                                            qcClaimBlockNum: number;
                                            /** @description 0x and hexadecimal digits. */
                                            qcClaimFinalityDigest: string;
                                            qcClaimTimestamp: number;
                                            timestamp: number;
                                            /** @description 0x and hexadecimal digits. */
                                            baseDigest: string;
                                        };
                                        /** @description 0x and hexadecimal digits. */
                                        bits: string;
                                        /** @description 0x and hexadecimal digits. */
                                        signature: string;
                                        policyKeys: string[];
                                        pending: {
                                            /** @description 0x and hexadecimal digits. */
                                            policy: string;
                                            /** @description 0x and hexadecimal digits. */
                                            bits: string;
                                            /** @description 0x and hexadecimal digits. */
                                            signature: string;
                                        };
                                    };
                                    learn: {
                                        majorVersion: number;
                                        minorVersion: number;
                                        blockNum: number;
                                        timestamp: number;
                                        parentTimestamp: number;
                                        activeGeneration: number;
                                        lastPendingGeneration: number;
                                        /** @description 0x and hexadecimal digits. */
                                        blockFinalityMroot: string;
                                        lastPendingPolicyStart: number;
                                        /** @description 0x and hexadecimal digits. */
                                        level3Digest: string;
                                        /** @description 0x and hexadecimal digits. */
                                        actionMroot: string;
                                        treeSiblings: string[];
                                        /** @description An unsigned integer: decimal digits. */
                                        treePath: string;
                                        /** @description 0x and hexadecimal digits. */
                                        finalityMroot: string;
                                        /** @description 0x and hexadecimal digits. */
                                        policy: string;
                                    };
                                }[];
                            };
                        } | {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bridge/v1/handoffs/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finalizer policies that the light clients of an EVM chain can learn now
         * @description Send each with `submitAndLearn(...submitRoot, learn)`, in this order, so that no withdrawal has to wait for them or pay for them.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Domain of an EVM chain, decimal. */
                    domain: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Hand-offs that light clients can learn, whether or not a withdrawal needs them. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            lightClients: {
                                /** @description Address. */
                                lightClient: string;
                                /** @description The newest generation that it has learned; null if its events are not indexed. */
                                newest: number | null;
                                /** @description What it can learn now, in this order: usually nothing, at most the first 16. */
                                handoffs: {
                                    /** @description Arguments that make a root trusted. */
                                    submitRoot: {
                                        finality: {
                                            majorVersion: number;
                                            minorVersion: number;
                                            activeGeneration: number;
                                            lastPendingGeneration: number;
                                            /** @description 0x and hexadecimal digits. */
                                            finalityMroot: string;
                                            /** @description 0x and hexadecimal digits. */
                                            lastPendingPolicyDigest: string;
                                            lastPendingPolicyStart: number;
                                            /** @description 0x and hexadecimal digits. */
                                            reversibleBlocksMroot: string;
                                            qcClaimBlockNum: number;
                                            /** @description 0x and hexadecimal digits. */
                                            qcClaimFinalityDigest: string;
                                            qcClaimTimestamp: number;
                                            timestamp: number;
                                            /** @description 0x and hexadecimal digits. */
                                            baseDigest: string;
                                        };
                                        /** @description 0x and hexadecimal digits. */
                                        bits: string;
                                        /** @description 0x and hexadecimal digits. */
                                        signature: string;
                                        policyKeys: string[];
                                        pending: {
                                            /** @description 0x and hexadecimal digits. */
                                            policy: string;
                                            /** @description 0x and hexadecimal digits. */
                                            bits: string;
                                            /** @description 0x and hexadecimal digits. */
                                            signature: string;
                                        };
                                    };
                                    learn: {
                                        majorVersion: number;
                                        minorVersion: number;
                                        blockNum: number;
                                        timestamp: number;
                                        parentTimestamp: number;
                                        activeGeneration: number;
                                        lastPendingGeneration: number;
                                        /** @description 0x and hexadecimal digits. */
                                        blockFinalityMroot: string;
                                        lastPendingPolicyStart: number;
                                        /** @description 0x and hexadecimal digits. */
                                        level3Digest: string;
                                        /** @description 0x and hexadecimal digits. */
                                        actionMroot: string;
                                        treeSiblings: string[];
                                        /** @description An unsigned integer: decimal digits. */
                                        treePath: string;
                                        /** @description 0x and hexadecimal digits. */
                                        finalityMroot: string;
                                        /** @description 0x and hexadecimal digits. */
                                        policy: string;
                                    };
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/cpu/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether CPU is sponsored now
         * @description Ask for signatures while `signing` is true. Takes no body.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether a cosigner can sign. */
                            available: boolean;
                            /** @description Whether to ask for signatures now: not while throttled. */
                            signing: boolean;
                            /** @description Whether the payer has used more than 70 % of its CPU. */
                            throttled: boolean;
                            cpu: {
                                /** @description Microseconds. */
                                used: number;
                                /** @description Microseconds. */
                                max: string;
                                percent: number;
                            } | null;
                            /** @description Unix milliseconds; null before the first check. */
                            lastCheck: number | null;
                            /** @description The most CPU that transactions signed without max_cpu_usage_ms can cost; absent while there are none. */
                            unbounded?: {
                                /** @description How many have not expired. */
                                transactions: number;
                                /** @description Milliseconds: the limit of the chain for each of them. */
                                cpuMs: number;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/cpu/cosign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signature of the payer
         * @description The first action of the transaction must be `liquid.svc::noop`, authorised by `liquid.svc@bw`; every other one an action of an allowed contract, or a transfer to one. The user is the first authoriser of the second action. Push the transaction with the user’s signature and the one that is answered.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Packed transaction without signatures, hex digits. */
                        serializedTransaction: string;
                        /** @description Of the user: with them an account whose limit others have used up draws on its reserve, and failures count against the account, not the address. */
                        signatures?: string[];
                    };
                };
            };
            responses: {
                /** @description The answer. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description SIG_K1_... */
                            signature: string;
                            /** @description max_cpu_usage_ms of the transaction, where the cosigner demands one. */
                            maxCpuUsageMs?: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resource_provider/request_transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transaction with the noop before it, and its signature
         * @description The same for the resource-provider plugins of wallets. The answer’s transaction has the noop as its first action, and an expiration and a reference block where the request left them out. Errors are those of `cosign`, in the form of the interface.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Who signs besides the payer. */
                        signer: {
                            /** @description Account. */
                            actor: string;
                            permission: string;
                        } | string;
                        /** @description Packed transaction, hex digits. Exactly one of this, `transaction` and `request` is needed. */
                        packedTransaction?: string | {
                            packed_trx: string;
                        };
                        /** @description Transaction in JSON, with packed data of actions. */
                        transaction?: {
                            [key: string]: unknown;
                        };
                        /** @description Signing request, `esr://...`. */
                        request?: string;
                    };
                };
            };
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description 200. */
                            code: number;
                            data: {
                                /** @description The text `transaction`, and the transaction to sign in JSON: the noop is its first action. */
                                request: unknown[];
                                /** @description Of the payer: SIG_K1_... */
                                signatures: string[];
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Defaults and thresholds in force
         * @description Answered before a chain is indexed too: `block` is null then.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Defaults and thresholds in force. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Chain name. */
                            chain: string;
                            /** @description Last block reflected; null before the first. */
                            block: number | null;
                            /** @description Its time, ISO 8601. */
                            blockTime: string | null;
                            /** @description Token that prices are counted in. */
                            systemToken: string;
                            /** @description Token worth one US dollar. */
                            usdToken: string | null;
                            /** @description What prices and trust depend on. */
                            thresholds: {
                                /** @description USD that a pool must hold on its priced side to price a token. */
                                liquidityUsd: number;
                                /** @description The same in system tokens, while those have no USD price. */
                                liquiditySystem: number;
                                /** @description Minimum score of a token that is trusted for its score. */
                                trustedScore: number;
                            };
                            /** @description Defaults and bounds of parameters. */
                            limits: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/digests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What can be compared with another database
         * @description What `headwater compare` can compare with another database. Answered while the market is not loaded too.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The part of a chain that can be compared. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Chain name. */
                            chain: string;
                            /** @description Chain id; null when it is not known. */
                            chainId: string | null;
                            /** @description First indexed block. */
                            firstBlock: number;
                            /** @description Last final block that can be compared. */
                            lastBlock: number;
                            /** @description Length of the ranges whose digests are stored, blocks. */
                            leaf: number;
                            /** @description Watched contracts: role, space, account. */
                            contracts: string[];
                            /** @description Tables with digests. */
                            tables: {
                                /** @description Name. */
                                name: string;
                                /** @description SHA-256 of the names of its columns; versions of the program may have other columns. */
                                columns: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/digests/ranges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Digests of the parts of a range of final blocks
         * @description The range is divided into at most 16 parts. Parts longer than `leaf` blocks end at multiples of it, and their digests are made from stored ones. The digest of a table is a function of its rows in these blocks, the same on every instance.
         */
        get: {
            parameters: {
                query: {
                    /** @description First block. */
                    from: number;
                    /** @description Last block. */
                    to: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description First block. */
                            from: number;
                            /** @description Last block. */
                            to: number;
                            /** @description Tables with rows in these blocks. */
                            tables: {
                                /** @description Table. */
                                name: string;
                                /** @description Rows in these blocks. */
                                rows: number;
                                /** @description Their digest. */
                                sha256: string;
                            }[];
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/digests/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows of a table of the ledger in one final block
         * @description At most 500 rows. Values are texts of PostgreSQL.
         */
        get: {
            parameters: {
                query: {
                    /** @description Table, as in the digests. */
                    table: string;
                    /** @description Block. */
                    block: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Rows of a table in one block. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Columns that the blocks determine. */
                            columns: string[];
                            /** @description Columns of the primary key. */
                            key: string[];
                            /** @description Values as text, in the order of the columns; a long one as `sha256:` and its digest. */
                            rows: (string | null)[][];
                            /** @description Whether there are more rows than were sent. */
                            more: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/config/scam-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contracts and tokens on the scam lists in force */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            scam_contracts: string[];
                            scam_tokens: string[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description Answers as long as the process does.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Whether the process is alive */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            live: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service is ready
         * @description 200 when every chain is near its head and loaded; else 503 with the reasons.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Whether the service is ready */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether answers can be relied on. */
                            ready: boolean;
                            /** @description Why not. */
                            reasons: string[];
                            /** @description What is missing from answers nevertheless. */
                            warnings: string[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where every chain stands
         * @description Positions of all chains, and how many rows each table has.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Where every chain stands */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/market": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the market in memory is that of the database
         * @description Compares the market in memory with the database.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Whether the market in memory is that of the database */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of the process
         * @description In the text format of Prometheus.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Metrics of the process */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
